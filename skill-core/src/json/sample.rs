//! A value that a schema allows, to stand in for one that is wrong.

use serde_json::{Map, Value, json};

use super::schema_node::SchemaNode;

/// How deep a sample may get; a schema that needs more needs itself.
const DEEPEST: u8 = 16;

/// The simplest value that `place` allows, as far as one can be told without trying.
pub(super) fn sample(place: SchemaNode<'_>) -> Value {
    build(place, DEEPEST)
}

fn build(place: SchemaNode<'_>, fuel: u8) -> Value {
    let place = place.resolved();
    let Some(fuel) = fuel.checked_sub(1) else {
        return Value::Null;
    };
    let first = |keyword| place.keyword(keyword)?.as_array()?.first();
    let given = [
        place.keyword("const"),
        place.keyword("default"),
        first("enum"),
        first("examples"),
    ];
    if let Some(value) = given.into_iter().flatten().next() {
        return value.clone();
    }
    match kind(place) {
        Some("string") => json!(""),
        Some("integer") => place.keyword("minimum").cloned().unwrap_or(json!(0)),
        Some("number") => place.keyword("minimum").cloned().unwrap_or(json!(0.0)),
        Some("boolean") => json!(false),
        Some("array") => array(place, fuel),
        Some("object") => object(place, fuel),
        Some(_) => Value::Null,
        None => match place.alternatives().next() {
            Some(alternative) => build(alternative, fuel),
            None => Value::Null,
        },
    }
}

/// The type of a schema, or the first of several.
fn kind(place: SchemaNode<'_>) -> Option<&str> {
    let kind = place.keyword("type")?;
    kind.as_str().or_else(|| kind.get(0)?.as_str())
}

fn array(place: SchemaNode<'_>, fuel: u8) -> Value {
    let items = place.keyword("prefixItems").and_then(Value::as_array);
    let least = place.keyword("minItems").and_then(Value::as_u64);
    let count = items
        .map_or(0, Vec::len)
        .max(least.unwrap_or(0).min(64) as usize);
    let item = |index| match place.child(&super::path::Step::Index(index)) {
        Some(item) => build(item, fuel),
        None => Value::Null,
    };
    (0..count).map(item).collect()
}

fn object(place: SchemaNode<'_>, fuel: u8) -> Value {
    let mut object = Map::new();
    let required = place.keyword("required").and_then(Value::as_array);
    for key in required.into_iter().flatten().filter_map(Value::as_str) {
        let step = super::path::Step::Key(key.to_owned().into());
        if let Some(part) = place.child(&step) {
            object.insert(key.to_owned(), build(part, fuel));
        }
    }
    Value::Object(object)
}
