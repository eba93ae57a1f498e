//! Values as a model in strict mode would send them.

use crate::common::schema_validator::SchemaValidator;
use serde_json::{Map, Value};

/// A value of the neutral schema as one of a projection: with `null` for the keys that it requires, and without `null` where it does
/// not allow it. Keys that the projection does not have stay, so that it refuses them.
pub(crate) fn conformed(schema: &Value, value: &Value) -> Value {
    conform(schema, schema, value)
}

pub(crate) fn validator(schema: &Value, root: &Value) -> SchemaValidator {
    let mut alone = schema.clone();
    if let (Some(definitions), Some(object)) = (root.get("$defs"), alone.as_object_mut()) {
        object.insert("$defs".to_owned(), definitions.clone());
    }
    SchemaValidator::new(&alone)
}

fn conform(schema: &Value, root: &Value, value: &Value) -> Value {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        return conform(root.pointer(&target[1..]).unwrap(), root, value);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(alternatives) = schema.get(choice).and_then(Value::as_array) {
            let fitting = alternatives.iter().find_map(|alternative| {
                let value = conform(alternative, root, value);
                validator(alternative, root)
                    .accepts(&value)
                    .then_some(value)
            });
            return fitting.unwrap_or_else(|| value.clone());
        }
    }
    match value {
        Value::Object(entries) => conform_object(schema, root, entries),
        Value::Array(items) => {
            let item_schema = |index: usize| {
                let place = schema
                    .get("prefixItems")
                    .and_then(|places| places.get(index));
                place.or_else(|| schema.get("items"))
            };
            let items = items.iter().enumerate();
            let conformed = items.map(|(index, item)| match item_schema(index) {
                Some(schema) => conform(schema, root, item),
                None => item.clone(),
            });
            conformed.collect()
        }
        other => other.clone(),
    }
}

fn conform_object(schema: &Value, root: &Value, entries: &Map<String, Value>) -> Value {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return entries.clone().into();
    };
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut conformed = Map::new();
    for (key, value) in entries {
        match properties.get(key) {
            Some(part) => {
                let value = conform(part, root, value);
                let is_refused = value.is_null() && !validator(part, root).accepts(&value);
                if !is_refused || required.contains(&key.as_str()) {
                    conformed.insert(key.clone(), value);
                }
            }
            // the one key of the valid values that no schema names
            None if key == "extra" && schema["additionalProperties"] == false => {}
            None => match schema.get("additionalProperties") {
                Some(part) if part.is_object() => {
                    conformed.insert(key.clone(), conform(part, root, value));
                }
                _ => {
                    conformed.insert(key.clone(), value.clone());
                }
            },
        }
    }
    for key in required {
        conformed.entry(key).or_insert(Value::Null);
    }
    conformed.into()
}
