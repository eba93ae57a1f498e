//! Rewrites `enum`, `const` and lists of types.

use std::collections::HashSet;

use skill_core::serde_json::{Value, json};

use crate::projection::keywords::notes;
use crate::projection::merge::ANNOTATIONS;
use crate::projection::{Object, SchemaDialect, list_mut, take, types};

/// Writes `enum` and `const` in the dialect's form.
pub(crate) fn rewrite(object: &mut Object, dialect: &SchemaDialect) {
    if !object.contains_key("enum") && !object.contains_key("const") {
        return;
    }
    if !dialect.keywords.has("const")
        && let Some(constant) = take(object, "const")
    {
        object.insert("enum".to_owned(), json!([constant]));
    }
    let are_listed = are_listed(object, dialect);
    if dialect.typed_literals || !are_listed {
        let literals = literals(object);
        let kinds = kinds_of(&literals);
        let kinds = match &kinds[..] {
            [kind] => json!(kind),
            _ => json!(kinds),
        };
        object.entry("type").or_insert(kinds);
    } else {
        take(object, "type");
    }
    if let Some(values) = list_mut(object, "enum") {
        without_repeats(values);
    }
    if !are_listed {
        for keyword in ["enum", "const"] {
            if let Some(value) = take(object, keyword) {
                notes::add(object, &[(keyword, value)]);
            }
        }
    }
}

/// Returns whether the values stay in `enum` or `const`. If they do not, they are moved into the description.
pub(crate) fn are_listed(object: &Object, dialect: &SchemaDialect) -> bool {
    // a `null` among other values becomes a separate alternative
    let mut others = literals(object).into_iter();
    others.all(|value| value.is_null() || dialect.enum_values.allows(&value))
}

/// Removes repeated values, because OpenAI rejects them.
pub(crate) fn without_repeats(values: &mut Vec<Value>) {
    let mut seen = HashSet::new();
    values.retain(|value| seen.insert(value.to_string()));
}

fn literals(object: &Object) -> Vec<Value> {
    let listed = object.get("enum").and_then(Value::as_array);
    let listed = listed.into_iter().flatten();
    listed.chain(object.get("const")).cloned().collect()
}

fn kinds_of(values: &[Value]) -> Vec<&'static str> {
    let mut kinds: Vec<&str> = values.iter().map(kind_of).collect();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.contains(&"number") {
        kinds.retain(|kind| *kind != "integer");
    }
    kinds
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        // `1.0` is also an integer
        Value::Number(number) if number.as_f64().is_none_or(|float| float.fract() == 0.0) => {
            "integer"
        }
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Splits several types into a choice if the dialect has no type lists or does not allow `null` in an `enum`.
pub(crate) fn split_types(object: &mut Object, dialect: &SchemaDialect) {
    let kinds: Vec<String> = types(object).into_iter().map(str::to_owned).collect();
    let values = object.get("enum").and_then(Value::as_array);
    let lists_null = values.is_some_and(|values| values.contains(&Value::Null));
    let lists_all = !lists_null || dialect.enum_values.allows(&Value::Null);
    let keeps_list = dialect.type_lists && lists_all;
    if kinds.len() < 2 || keeps_list {
        return;
    }
    let whole = std::mem::take(object);
    let (annotations, keywords): (Object, Object) = whole
        .into_iter()
        .filter(|(keyword, _)| keyword != "type")
        .partition(|(keyword, _)| ANNOTATIONS.contains(&keyword.as_str()));
    let alternative = |kind: &String| {
        let mut alternative = Object::new();
        alternative.insert("type".to_owned(), json!(kind));
        for (keyword, value) in &keywords {
            if keyword == "enum" {
                let values = value.as_array().into_iter().flatten();
                let values = values.filter(|value| is_a(value, kind)).cloned();
                let values: Vec<Value> = values.collect();
                if kind != "null" && !values.is_empty() {
                    alternative.insert(keyword.clone(), values.into());
                }
            } else if is_about(keyword, kind) {
                alternative.insert(keyword.clone(), value.clone());
            }
        }
        Value::Object(alternative)
    };
    let alternatives: Vec<Value> = kinds.iter().map(alternative).collect();
    *object = annotations;
    object.insert("anyOf".to_owned(), alternatives.into());
}

fn is_a(value: &Value, kind: &str) -> bool {
    kind_of(value) == kind || (kind == "number" && value.is_number())
}

/// Returns the type that a schema without `type` implies, if all of its keywords concern the same type. For example, `properties`
/// implies an object.
pub(crate) fn meant_type(object: &Object) -> Option<&'static str> {
    const SAYING: [&str; 7] = ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];
    if SAYING.iter().any(|keyword| object.contains_key(*keyword)) {
        return None;
    }
    let mut kinds = object.keys().filter_map(|keyword| kinds_about(keyword));
    let first = kinds.next()?;
    // of `integer` and `number`, the last one includes the other
    first
        .last()
        .copied()
        .filter(|_| kinds.all(|other| other == first))
}

/// Returns whether a keyword constrains values of a type.
fn is_about(keyword: &str, kind: &str) -> bool {
    kinds_about(keyword).map_or(kind != "null", |kinds| kinds.contains(&kind))
}

/// Returns the types that a keyword constrains, or `None` if it constrains all types.
pub(crate) fn kinds_about(keyword: &str) -> Option<&'static [&'static str]> {
    Some(match keyword {
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "minProperties"
        | "maxProperties"
        | "propertyNames"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedProperties" => &["object"],
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains"
        | "minContains" | "maxContains" | "unevaluatedItems" => &["array"],
        "minLength" | "maxLength" | "pattern" => &["string"],
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            &["integer", "number"]
        }
        _ => return None,
    })
}
