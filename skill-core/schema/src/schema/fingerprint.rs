//! A number that distinguishes the shapes of types.

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;
use skill_agent_grammar::fnv1a;

use crate::schema::generate::generator;

/// A hash of the schema that `describe` makes: stores keep it, so that a state of another shape is noticed.
///
/// Annotations such as descriptions, and the order of keys, make no difference.
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

/// A schema that arguments are hashed with.
#[derive(Clone, Copy, Debug)]
pub struct HashedSchema {
    /// Its hash, without annotations and independent of the order of keys.
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

    /// A hash of a value, in which the order of keys makes no difference. With sets in the schema, neither does the order of
    /// items: a `HashSet` has another one each time.
    pub fn hash_value(self, value: &Value) -> u64 {
        fnv1a(&sorted(value, self.has_sets).to_string())
    }
}

/// The JSON text of a value with sorted keys, which is the same after a store has put them into another order.
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

/// A schema without its annotations and with sorted keys; or, with `is_by_name`, a map from names to schemas.
///
/// Stores contain hashes of the result, so it must not change: for that reason it does not use [`crate::schema::visit`].
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
