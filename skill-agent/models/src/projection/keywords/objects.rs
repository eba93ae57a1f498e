//! Rewrites objects and arrays in each dialect's form.

use skill_core::serde_json::{Value, json};

use crate::projection::keywords::literals::without_repeats;
use crate::projection::keywords::{notes, nulls};
use crate::projection::{Object, SchemaDialect, list_mut, properties, take, types};

/// Adds `items` to an array if the dialect lacks `prefixItems`. A tuple becomes an array whose items may have any of the tuple's
/// types.
pub(crate) fn items(object: &mut Object, dialect: &SchemaDialect) {
    let is_array = types(object).contains(&"array");
    if !is_array || dialect.keywords.has("prefixItems") {
        return;
    }
    let places = object.get("prefixItems").and_then(Value::as_array);
    let Some(places) = places.cloned() else {
        object.entry("items").or_insert_with(|| json!({}));
        return;
    };
    let mut kinds: Vec<Value> = Vec::new();
    let rest = take(object, "items").filter(|rest| *rest != json!({ "not": {} }));
    for schema in places.into_iter().chain(rest) {
        if !kinds.contains(&schema) {
            kinds.push(schema);
        }
    }
    let items = match &mut kinds[..] {
        [] => json!({}),
        [only] => only.take(),
        _ => json!({ "anyOf": kinds }),
    };
    object.insert("items".to_owned(), items);
}

/// Replaces key patterns with additional properties of any name.
pub(crate) fn key_patterns(object: &mut Object, dialect: &SchemaDialect) {
    let Some(listed @ Value::Object(patterns)) = object.get("patternProperties") else {
        return;
    };
    if !dialect.maps || notes::has_key_patterns(listed, dialect) {
        return;
    }
    let mut schemas: Vec<Value> = patterns.values().cloned().collect();
    let others = match &mut schemas[..] {
        [only] => only.take(),
        _ => json!({ "anyOf": schemas }),
    };
    object.insert("additionalProperties".to_owned(), others);
}

/// Closes an object and marks its properties as required, as the dialect demands.
pub(crate) fn close(object: &mut Object, dialect: &SchemaDialect) {
    if !types(object).contains(&"object") && properties(object).is_none() {
        return;
    }
    if let Some(names) = list_mut(object, "required") {
        without_repeats(names);
    }
    let required = object.get("required").and_then(Value::as_array).cloned();
    let required = required.unwrap_or_default();
    if let Some(Value::Object(parts)) = object.get_mut("properties") {
        for (name, part) in parts.iter_mut() {
            if required.iter().any(|key| key == name) {
                continue;
            }
            if dialect.all_required {
                nulls::add(part);
            } else if !dialect.optional_null
                && let Some(part) = part.as_object_mut()
                && part.get("default").is_none_or(Value::is_null)
            {
                nulls::remove(part);
            }
        }
    }
    name_required(object, dialect);
    if dialect.all_required {
        let names: Vec<&String> = properties(object)
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
            .collect();
        let names = json!(names);
        object.insert("required".to_owned(), names);
    }
    if dialect.closed {
        object.entry("properties").or_insert_with(|| json!({}));
        object.insert("additionalProperties".to_owned(), json!(false));
    }
    if dialect.has_property_ordering()
        && let Some(properties) = properties(object)
        && properties.len() > 1
    {
        let names: Vec<&String> = properties.keys().collect();
        let names = json!(names);
        object.insert("propertyOrdering".to_owned(), names);
    }
}

/// Moves required keys that have no property into the description, for readers that reject them.
fn name_required(object: &mut Object, dialect: &SchemaDialect) {
    if !dialect.closed && !dialect.has_property_ordering() {
        return;
    }
    let has = |name: &Value| {
        let name = name.as_str().unwrap_or_default();
        properties(object).is_some_and(|properties| properties.contains_key(name))
    };
    let names = object.get("required").and_then(Value::as_array).cloned();
    let (named, others): (Vec<Value>, Vec<Value>) =
        names.unwrap_or_default().into_iter().partition(has);
    if !others.is_empty() {
        object.insert("required".to_owned(), named.into());
        notes::add(object, &[("required", others.into())]);
    }
}
