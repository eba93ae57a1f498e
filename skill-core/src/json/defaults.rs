//! The defaults that hold, written into a schema.
//!
//! A derived schema shows the defaults of the type; what holds for an agent is what its configuration
//! made of them.

use schemars::Schema;
use serde_json::{Map, Value};

/// Writes the defaults that hold into a schema: the `default` of every property becomes the value found
/// at its place in `defaults`.
///
/// An object with properties is gone into and states the defaults of its parts; a `default` of its own
/// is replaced, but none is added. A choice (`oneOf`, `anyOf`) is a leaf. A `null` for a property that
/// cannot be `null`, which is how serde_json writes NaN, removes the `default` that no longer holds.
pub(crate) fn with_defaults(schema: &mut Schema, defaults: &Value) {
    if let Some(schema) = schema.as_object_mut() {
        apply(schema, defaults);
    }
}

fn apply(schema: &mut Map<String, Value>, defaults: &Value) {
    let (Some(Value::Object(properties)), Value::Object(defaults)) =
        (schema.get_mut("properties"), defaults)
    else {
        return;
    };
    for (key, property) in properties {
        let (Value::Object(property), Some(value)) = (property, defaults.get(key)) else {
            continue;
        };
        if value.is_null() && !allows_null(property) {
            property.remove("default");
            continue;
        }
        let parts = has_parts(property) && value.is_object();
        if !parts || property.contains_key("default") {
            property.insert("default".to_owned(), value.clone());
        }
        if parts {
            apply(property, value);
        }
    }
}

fn has_parts(schema: &Map<String, Value>) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| !properties.is_empty())
        && !schema.contains_key("oneOf")
        && !schema.contains_key("anyOf")
}

fn allows_null(schema: &Map<String, Value>) -> bool {
    match schema.get("type") {
        Some(Value::String(kind)) => kind == "null",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "null"),
        _ => true,
    }
}
