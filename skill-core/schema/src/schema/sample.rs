//! Builds the simplest value that a schema allows, to replace a wrong one.

use serde_json::{Map, Value, json};

use crate::schema::formats::example_of;
use crate::schema::node::SchemaNode;
use crate::value::path::Step;

/// The maximum depth of a sample. Only recursive schemas reach it.
const DEEPEST: u8 = 16;

/// Returns the simplest value that `node` allows, as far as its keywords show.
pub(crate) fn sample(node: SchemaNode<'_>) -> Value {
    build(node, DEEPEST)
}

fn build(node: SchemaNode<'_>, levels: u8) -> Value {
    let node = node.resolved();
    let Some(levels) = levels.checked_sub(1) else {
        return Value::Null;
    };
    let first = |keyword| node.keyword(keyword)?.as_array()?.first();
    let given = [
        node.keyword("const"),
        node.keyword("default"),
        first("enum"),
        first("examples"),
    ];
    if let Some(value) = given.into_iter().flatten().next() {
        return value.clone();
    }
    match kind(node) {
        Some("string") => text(node),
        Some("integer") => number(node).unwrap_or(json!(0)),
        Some("number") => number(node).unwrap_or(json!(0.0)),
        Some("boolean") => json!(false),
        Some("array") => array(node, levels),
        Some("object") => object(node, levels),
        Some(_) => Value::Null,
        None => match node.alternatives().next() {
            Some(alternative) => build(alternative, levels),
            None => Value::Null,
        },
    }
}

/// Returns the type that the schema allows, or the first of several.
fn kind(node: SchemaNode<'_>) -> Option<&str> {
    let kind = node.keyword("type")?;
    kind.as_str().or_else(|| kind.get(0)?.as_str())
}

/// Returns the minimum of the range, or the maximum if it is negative.
fn number(node: SchemaNode<'_>) -> Option<Value> {
    let above = |low: &Value| match low.as_i64() {
        Some(low) => json!(low.saturating_add(1)),
        None => json!(low.as_f64().unwrap_or_default() + 1.0),
    };
    let greatest = node.keyword("maximum");
    let negative = greatest.filter(|greatest| greatest.as_f64().is_some_and(|most| most < 0.0));
    let least = node.keyword("minimum").cloned();
    least
        .or_else(|| node.keyword("exclusiveMinimum").map(above))
        .or_else(|| negative.cloned())
}

/// Returns a string with the schema's format, or a string of the minimum length.
fn text(node: SchemaNode<'_>) -> Value {
    let format = node.keyword("format").and_then(Value::as_str);
    if let Some(example) = format.and_then(example_of) {
        return json!(example);
    }
    let least = node.keyword("minLength").and_then(Value::as_u64);
    json!("x".repeat(least.unwrap_or(0).min(64) as usize))
}

fn array(node: SchemaNode<'_>, levels: u8) -> Value {
    let items = node.keyword("prefixItems").and_then(Value::as_array);
    let least = node.keyword("minItems").and_then(Value::as_u64);
    let count = items
        .map_or(0, Vec::len)
        .max(least.unwrap_or(0).min(64) as usize);
    let item = |index| match node.child(&Step::Index(index)) {
        Some(item) => build(item, levels),
        None => Value::Null,
    };
    (0..count).map(item).collect()
}

fn object(node: SchemaNode<'_>, levels: u8) -> Value {
    let mut object = Map::new();
    let required = node.keyword("required").and_then(Value::as_array);
    for key in required.into_iter().flatten().filter_map(Value::as_str) {
        let step = Step::Key(key.to_owned().into());
        if let Some(part) = node.child(&step) {
            object.insert(key.to_owned(), build(part, levels));
        }
    }
    Value::Object(object)
}
