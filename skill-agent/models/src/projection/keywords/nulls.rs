//! Handles `null` next to other values, in the form of each dialect.

use skill_core::serde_json::{Value, json};

use crate::projection::keywords::literals::meant_type;
use crate::projection::merge::{ANNOTATIONS, has_siblings, is_narrowed_choice};
use crate::projection::{Object, list_mut, overlay, take, types};

/// Returns whether a schema allows `null` as one of several kinds of values.
pub(crate) fn has_null(object: &Object) -> bool {
    let kinds = types(object);
    let lists = |keyword: &str, is_null: fn(&Value) -> bool| {
        let list = object.get(keyword).and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(is_null))
    };
    (kinds.contains(&"null") && kinds.len() > 1)
        || lists("enum", Value::is_null)
        || ["anyOf", "oneOf"]
            .iter()
            .any(|choice| lists(choice, allows_null))
}

/// Returns whether a schema allows `null`, without following references.
pub(crate) fn allows_null(schema: &Value) -> bool {
    const SAYING: [&str; 7] = ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];
    let Some(object) = schema.as_object() else {
        return *schema == Value::Bool(true);
    };
    if object.contains_key("enum") || object.contains_key("const") {
        return has_null(object) || object.get("const").is_some_and(Value::is_null);
    }
    types(object).contains(&"null")
        || has_null(object)
        || object
            .get("nullable")
            .is_some_and(|nullable| nullable == true)
        || (!SAYING.iter().any(|keyword| object.contains_key(*keyword))
            && meant_type(object).is_none())
}

/// Makes a schema allow `null`.
pub(crate) fn add(schema: &mut Value) {
    if allows_null(schema) {
        return;
    }
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    if must_be_wrapped(object) {
        let (annotations, part): (Object, Object) = std::mem::take(object)
            .into_iter()
            .partition(|(keyword, _)| ANNOTATIONS.contains(&keyword.as_str()));
        *object = annotations;
        object.insert("anyOf".to_owned(), json!([part, { "type": "null" }]));
        return;
    }
    if let Some(constant) = take(object, "const") {
        object.insert("enum".to_owned(), json!([constant]));
    }
    if let Some(values) = list_mut(object, "enum") {
        values.push(Value::Null);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(alternatives) = list_mut(object, choice) {
            alternatives.push(json!({ "type": "null" }));
            return;
        }
    }
    let mut kinds = types(object);
    if !kinds.is_empty() {
        kinds.push("null");
        let kinds = json!(kinds);
        object.insert("type".to_owned(), kinds);
    } else if let Some(target) = take(object, "$ref") {
        let alternatives = json!([{ "$ref": target }, { "type": "null" }]);
        object.insert("anyOf".to_owned(), alternatives);
    }
}

/// Returns whether more than one keyword would have to allow `null`.
fn must_be_wrapped(object: &Object) -> bool {
    let has_reference = object.contains_key("$ref") && has_siblings(object);
    object.contains_key("allOf") || has_reference || is_narrowed_choice(object)
}

/// Removes `null` from the allowed values if there are any others.
pub(crate) fn remove(object: &mut Object) {
    let mut kinds = types(object);
    if kinds.len() > 1 {
        kinds.retain(|kind| *kind != "null");
        let kinds = match kinds[..] {
            [kind] => json!(kind),
            _ => json!(kinds),
        };
        object.insert("type".to_owned(), kinds);
    }
    if let Some(values) = list_mut(object, "enum") {
        values.retain(|value| !value.is_null());
    }
    for choice in ["anyOf", "oneOf"] {
        let Some(alternatives) = list_mut(object, choice) else {
            continue;
        };
        alternatives.retain(|alternative| *alternative != json!({ "type": "null" }));
        for alternative in alternatives.iter_mut().filter_map(Value::as_object_mut) {
            remove(alternative);
        }
        if let [Value::Object(only)] = &mut alternatives[..] {
            let only = std::mem::take(only);
            take(object, choice);
            overlay(object, &only);
        }
    }
}
