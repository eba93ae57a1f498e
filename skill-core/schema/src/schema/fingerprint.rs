//! A number that identifies the shape of a type.

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;
use skill_agent_grammar::fnv1a;

use crate::schema::generate::generator;

/// Returns a hash of the schema that `describe` generates. Stores keep this hash to detect a state with a different shape.
///
/// Annotations such as descriptions, and the order of keys, do not change the hash.
pub fn fingerprint(describe: fn(&mut SchemaGenerator) -> Schema) -> u64 {
    let mut generator = generator();
    let schema = describe(&mut generator);
    let definitions = Value::Object(generator.take_definitions(true));
    let text = format!(
        "{}{}",
        normalize(schema.as_value(), false),
        normalize(&definitions, true)
    );
    fnv1a(&text)
}

/// The schema used to hash call arguments.
#[derive(Clone, Copy, Debug)]
pub struct HashedSchema {
    /// The hash of the schema, which does not depend on annotations and the order of keys.
    pub hash: u64,
    has_sets: bool,
}

impl HashedSchema {
    pub fn new(schema: &Value) -> Self {
        Self {
            hash: fnv1a(&normalize(schema, false).to_string()),
            has_sets: has_sets(schema),
        }
    }

    /// Returns a hash of `value` that ignores the order of keys. If the schema contains sets, the order of items is ignored too,
    /// because a `HashSet` has a different order each time.
    pub fn hash_value(self, value: &Value) -> u64 {
        fnv1a(&sorted(value, self.has_sets).to_string())
    }
}

/// Writes a value as JSON with sorted keys, so that the text stays the same even if a store changes the order of the keys.
pub fn canonical_text(value: &Value) -> String {
    sorted(value, false).to_string()
}

fn has_sets(schema: &Value) -> bool {
    match schema {
        Value::Object(object) => {
            object.get("uniqueItems") == Some(&Value::Bool(true)) || object.values().any(has_sets)
        }
        Value::Array(list) => list.iter().any(has_sets),
        _ => false,
    }
}

fn sorted(value: &Value, has_sets: bool) -> Value {
    match value {
        Value::Object(object) => {
            let mut entries: Vec<_> = object.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            let entries = entries
                .into_iter()
                .map(|(key, value)| (key.clone(), sorted(value, has_sets)));
            Value::Object(entries.collect())
        }
        Value::Array(list) => {
            let mut list: Vec<_> = list.iter().map(|item| sorted(item, has_sets)).collect();
            if has_sets {
                list.sort_by_cached_key(Value::to_string);
            }
            Value::Array(list)
        }
        value => value.clone(),
    }
}

/// Returns the schema without annotations and with sorted keys. With `is_by_name`, `schema` is a map from names to schemas.
///
/// Stores contain hashes of the result, so it must not change. Therefore this function does not use [`crate::schema::visit`].
fn normalize(schema: &Value, is_by_name: bool) -> Value {
    const ANNOTATIONS: [&str; 6] = [
        "$schema",
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
    ];
    const BY_NAME: [&str; 3] = ["properties", "patternProperties", "$defs"];
    match schema {
        Value::Object(object) => {
            let mut keys: Vec<&String> = object.keys().collect();
            keys.retain(|key| is_by_name || !ANNOTATIONS.contains(&key.as_str()));
            keys.sort_unstable();
            let bare = |key: &String| {
                normalize(&object[key], !is_by_name && BY_NAME.contains(&key.as_str()))
            };
            Value::Object(
                keys.into_iter()
                    .map(|key| (key.clone(), bare(key)))
                    .collect(),
            )
        }
        Value::Array(list) => {
            let mut list: Vec<Value> = list.iter().map(|schema| normalize(schema, false)).collect();
            if list.iter().all(Value::is_string) {
                list.sort_unstable_by(|a, b| a.as_str().cmp(&b.as_str()));
            }
            Value::Array(list)
        }
        other => other.clone(),
    }
}
