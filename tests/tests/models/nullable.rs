//! `nullable` of OpenAPI 3.0, which a dialect has and readers of JSON Schema do not.

use serde_json::{Map, Value, json};

/// A schema with `nullable` as JSON Schema.
pub fn without_nullable(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let parts = object.iter().filter(|(key, _)| *key != "nullable");
            let parts: Map<String, Value> = parts
                .map(|(key, part)| (key.clone(), without_nullable(part)))
                .collect();
            if object.get("nullable") == Some(&json!(true)) {
                json!({ "anyOf": [parts, { "type": "null" }] })
            } else {
                parts.into()
            }
        }
        Value::Array(list) => list.iter().map(without_nullable).collect(),
        other => other.clone(),
    }
}
