//! Merges schemas that apply to the same value.

use skill_agent_schema::is_equal;
use skill_core::serde_json::Value;

use super::{Object, SchemaDialect, list_mut, take};

/// The annotation keywords, which do not restrict values and stay with the entire schema.
pub(super) const ANNOTATIONS: [&str; 5] =
    ["description", "title", "default", "examples", "deprecated"];

const CHOICES: [&str; 2] = ["oneOf", "anyOf"];

/// Returns whether a keyword next to a reference or a choice adds a restriction.
fn is_sibling(keyword: &str) -> bool {
    !keyword.starts_with('$') && !CHOICES.contains(&keyword) && !ANNOTATIONS.contains(&keyword)
}

/// Returns whether there are keywords next to a reference that add a restriction.
pub(super) fn has_siblings(object: &Object) -> bool {
    let is_about_values = |keyword: &str| is_sibling(keyword) || CHOICES.contains(&keyword);
    object.keys().any(|keyword| is_about_values(keyword))
}

/// Returns whether there are keywords next to a choice that add a restriction.
pub(super) fn is_narrowed_choice(object: &Object) -> bool {
    let has_choice = CHOICES.iter().any(|choice| object.contains_key(*choice));
    let has_siblings = object
        .keys()
        .any(|keyword| is_sibling(keyword) || keyword == "$ref");
    has_choice && has_siblings
}

/// Returns whether the keywords next to a choice must be moved into each alternative. If objects are closed, two separate objects
/// would reject each other's properties.
pub(super) fn is_mixed(object: &Object, dialect: &SchemaDialect) -> bool {
    (dialect.closed || !dialect.choice_siblings) && is_narrowed_choice(object)
}

/// Moves a choice's description into each alternative if the dialect does not allow keywords next to a choice.
pub(super) fn describe_alternatives(object: &mut Object, dialect: &SchemaDialect) {
    if dialect.choice_siblings || !object.contains_key("anyOf") {
        return;
    }
    let description = take(object, "description");
    object.retain(|keyword, _| keyword == "anyOf");
    let alternatives = list_mut(object, "anyOf").into_iter().flatten();
    if let Some(Value::String(description)) = description {
        for alternative in alternatives.filter_map(Value::as_object_mut) {
            let own = alternative.get("description").and_then(Value::as_str);
            let own = own.map_or_else(String::new, |own| format!("\n\n{own}"));
            alternative.insert(
                "description".to_owned(),
                format!("{description}{own}").into(),
            );
        }
    }
}

/// Returns the choice with the neighboring properties moved into each alternative.
pub(super) fn distributed(object: &Object) -> Option<Object> {
    let mut base = object.clone();
    let alternatives = match (take(&mut base, "oneOf"), take(&mut base, "anyOf")) {
        (Some(Value::Array(list)), None) | (None, Some(Value::Array(list))) => list,
        _ => return None,
    };
    let mut whole = Object::new();
    for keyword in ANNOTATIONS.into_iter().chain(["$schema", "$defs"]) {
        if let Some(value) = take(&mut base, keyword) {
            whole.insert(keyword.to_owned(), value);
        }
    }
    let with_base =
        |alternative: &Value| Some(merged(base.clone(), alternative.as_object()?)?.into());
    let alternatives: Option<Vec<Value>> = alternatives.iter().map(with_base).collect();
    whole.insert("anyOf".to_owned(), alternatives?.into());
    Some(whole)
}

/// Merges two schemas that apply to the same value. Returns `None` if they conflict.
pub(super) fn merged(mut whole: Object, part: &Object) -> Option<Object> {
    for (keyword, value) in part {
        let Some(present) = whole.get_mut(keyword) else {
            whole.insert(keyword.clone(), value.clone());
            continue;
        };
        match (keyword.as_str(), present, value) {
            ("properties", Value::Object(present), Value::Object(properties)) => {
                for (name, schema) in properties {
                    if present
                        .get(name)
                        .is_some_and(|present| !is_equal(present, schema))
                    {
                        return None;
                    }
                    present.insert(name.clone(), schema.clone());
                }
            }
            ("required", Value::Array(present), Value::Array(names)) => {
                for name in names {
                    if !present.contains(name) {
                        present.push(name.clone());
                    }
                }
            }
            ("allOf", Value::Array(present), Value::Array(parts)) => {
                present.extend(parts.iter().cloned());
            }
            // two closed objects together would allow only their common properties, but the author wants all of them
            ("additionalProperties" | "unevaluatedProperties", _, _) => {}
            (annotation, _, _) if ANNOTATIONS.contains(&annotation) => {}
            (_, present, value) if is_equal(present, value) => {}
            _ => return None,
        }
    }
    Some(whole)
}
