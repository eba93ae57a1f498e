//! The values that a schema allows, in words, for mistakes whose messages do not say enough.

use serde_json::Value;

use crate::check::structure::with_article;
use crate::problem::wording::{NO_ALTERNATIVE, OBJECT};
use crate::schema::node::SchemaNode;
use crate::value::path::Step;

/// The maximum number of nested alternatives. They can form a cycle.
const MOST_HOPS: u8 = 3;

/// Describes the expected value at `path`: the fields of an object, or the alternatives. `None` if the message says enough, or if
/// the schema has no words for them.
pub(crate) fn expected_kind(message: &str, path: &[Step], schema: &Value) -> Option<String> {
    let is_object = || Some(message.rsplit_once(", expected ")?.1 == OBJECT);
    let node = || {
        let node = SchemaNode::root(schema).at(path)?.resolved();
        Some(node.content_of_option().map_or(node, SchemaNode::resolved))
    };
    if message == NO_ALTERNATIVE {
        let kinds = alternatives(node()?, MOST_HOPS)?;
        Some(format!("expected {}", joined(&kinds, "or")))
    } else if is_object()? {
        let node = node().filter(|node| node.merges())?;
        match &fields(node)[..] {
            [] => None,
            [only] => Some(format!("its field is {only}")),
            fields => Some(format!("its fields are {}", joined(fields, "and"))),
        }
    } else {
        None
    }
}

fn alternatives(node: SchemaNode<'_>, hops: u8) -> Option<Vec<String>> {
    if node.keyword("allOf").is_some() {
        // a value satisfies all of these
        return None;
    }
    let mut kinds = Vec::new();
    for alternative in node.alternatives() {
        for kind in kinds_of(alternative.resolved(), hops.checked_sub(1)?)? {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    (!kinds.is_empty()).then_some(kinds)
}

/// Describes the values that a schema allows. `None` if it has no words for some.
fn kinds_of(node: SchemaNode<'_>, hops: u8) -> Option<Vec<String>> {
    let constants = node.keyword("enum").and_then(Value::as_array);
    let constants = constants.map(Vec::as_slice);
    let constant = node.keyword("const").map(std::slice::from_ref);
    if let Some(constants) = constants.or(constant) {
        let quoted = |value: &Value| match value {
            Value::String(text) => format!("`{text}`"),
            other => format!("`{other}`"),
        };
        return Some(constants.iter().map(quoted).collect());
    }
    match node.keyword("type") {
        Some(Value::String(kind)) => Some(vec![kind_of(kind, node)]),
        Some(Value::Array(kinds)) => {
            let kind = |kind: &Value| Some(kind_of(kind.as_str()?, node));
            kinds.iter().map(kind).collect()
        }
        _ => alternatives(node, hops),
    }
}

fn kind_of(kind: &str, node: SchemaNode<'_>) -> String {
    let is_natural = || node.keyword("minimum").and_then(Value::as_f64) == Some(0.0);
    match kind {
        "integer" if is_natural() => "a non-negative integer".to_owned(),
        "object" => match &fields(node)[..] {
            fields if !fields.is_empty() && node.merges() => {
                format!("{OBJECT} with {}", joined(fields, "and"))
            }
            _ => OBJECT.to_owned(),
        },
        other => with_article(other).to_owned(),
    }
}

fn fields(node: SchemaNode<'_>) -> Vec<String> {
    node.properties()
        .map(|(name, _)| format!("`{name}`"))
        .collect()
}

/// Joins words as in "a, b or c".
fn joined(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., end] => format!("{} {last} {end}", others.join(", ")),
    }
}
