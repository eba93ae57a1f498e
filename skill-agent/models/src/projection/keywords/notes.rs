//! Moves keywords that a dialect lacks into notes in the description.

use skill_core::serde_json::{Value, json};

use crate::projection::{Object, SchemaDialect};

/// The keywords that inform a model. All others only name a schema or are meant for other programs, and are dropped.
const TELLING: [&str; 49] = [
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "deprecated",
    "else",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "readOnly",
    "required",
    "then",
    "title",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
    "writeOnly",
];

/// The formats that say no more than the type and the bounds next to them.
const SILENT_FORMATS: [&str; 12] = [
    "int", "int8", "int16", "int64", "int128", "uint", "uint8", "uint16", "uint64", "uint128",
    "float", "double",
];

/// Moves the keywords that the dialect does not support into the description.
pub(crate) fn move_unsupported(object: &mut Object, dialect: &SchemaDialect) {
    let is_moved = |keyword: &str, value: &Value| match keyword {
        "format" => !value
            .as_str()
            .is_some_and(|format| dialect.formats.has(format)),
        "minItems" => value
            .as_u64()
            .is_some_and(|least| least > dialect.min_items),
        "pattern" => !value
            .as_str()
            .is_some_and(|pattern| dialect.patterns.has(pattern)),
        "patternProperties" => !has_key_patterns(value, dialect),
        _ => false,
    };
    let mut moved = Vec::new();
    object.retain(|keyword, value| {
        let is_kept = dialect.keywords.has(keyword) && !is_moved(keyword, value);
        let says_bounds = dialect.integer_bounds && is_bounded(keyword, value);
        if !is_kept && !says_bounds && !is_silent(keyword, value) {
            moved.push((keyword.clone(), value.clone()));
        }
        is_kept
    });
    let moved: Vec<(&str, Value)> = moved
        .iter()
        .map(|(keyword, value)| (keyword.as_str(), value.clone()))
        .collect();
    add(object, &moved);
}

/// Returns whether a format says no more than the bounds that replace it.
fn is_bounded(keyword: &str, value: &Value) -> bool {
    keyword == "format" && (*value == "int32" || *value == "uint32")
}

fn is_silent(keyword: &str, value: &Value) -> bool {
    match keyword {
        "format" => value
            .as_str()
            .is_some_and(|format| SILENT_FORMATS.contains(&format)),
        // without a default, an omitted value is also `null`
        "default" => value.is_null(),
        "additionalProperties" | "unevaluatedProperties" => value.is_boolean(),
        "minItems" => *value == 0,
        _ => !TELLING.contains(&keyword),
    }
}

/// Returns whether the dialect supports key patterns, including all of the given ones.
pub(crate) fn has_key_patterns(patterns: &Value, dialect: &SchemaDialect) -> bool {
    let mut patterns = patterns.as_object().into_iter().flatten();
    dialect.keywords.has("patternProperties")
        && patterns.all(|(pattern, _)| dialect.patterns.has(pattern))
}

/// Adds `{keyword: value, …}` to the description.
pub(crate) fn add(object: &mut Object, notes: &[(&str, Value)]) {
    if notes.is_empty() {
        return;
    }
    let notes: Vec<String> = notes
        .iter()
        .map(|(keyword, value)| format!("{keyword}: {value}"))
        .collect();
    let notes = format!("{{{}}}", notes.join(", "));
    let description = match object.get("description").and_then(Value::as_str) {
        Some(description) if !description.is_empty() => format!("{description}\n\n{notes}"),
        _ => notes,
    };
    object.insert("description".to_owned(), json!(description));
}
