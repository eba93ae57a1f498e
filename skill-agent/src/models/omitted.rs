//! The `null`s that strict mode sends for omitted arguments.

use std::borrow::Cow;
use std::ops::Range;

use skill_core::__private::{Branch, SchemaNode, subschemas};
use skill_core::MAX_DEPTH;
use skill_core::serde_json::Value;

use super::projection::allows_null;
use super::raw::{Kind, Raw};

/// The most schemas that one value is compared with. They can form a cycle.
const MOST_LAYERS: usize = 64;

/// Removes the `null`s that a schema does not allow from properties that may be left out. Text that is not JSON is kept.
pub(super) fn restore<'a>(schema: &Value, arguments: &'a str) -> Cow<'a, str> {
    if !arguments.contains("null") {
        return Cow::Borrowed(arguments);
    }
    let Ok(raw) = Raw::parse(arguments) else {
        return Cow::Borrowed(arguments);
    };
    let mut cuts = Vec::new();
    find(SchemaNode::root(schema), raw, 0, &mut cuts);
    if cuts.is_empty() {
        return Cow::Borrowed(arguments);
    }
    let (mut text, mut from) = (String::with_capacity(arguments.len()), 0);
    for cut in cuts {
        text.push_str(&arguments[from..cut.start]);
        from = cut.end;
    }
    text.push_str(&arguments[from..]);
    Cow::Owned(text)
}

/// Finds the places to cut out, in order.
fn find(node: SchemaNode<'_>, value: Raw<'_>, depth: usize, cuts: &mut Vec<Range<usize>>) {
    // deeper arguments are refused when they are read
    if depth >= MAX_DEPTH {
        return;
    }
    let layers = layers(node, value);
    match value.kind() {
        Kind::Object => find_in_object(&layers, value, depth, cuts),
        Kind::Array => {
            for (index, item) in value.items().enumerate() {
                let part = layers.iter().find_map(|layer| item_schema(*layer, index));
                if let Some(part) = part {
                    find(part, item, depth + 1, cuts);
                }
            }
        }
        _ => {}
    }
}

fn find_in_object(
    layers: &[SchemaNode<'_>],
    value: Raw<'_>,
    depth: usize,
    cuts: &mut Vec<Range<usize>>,
) {
    let (mut end, mut is_first) = (value.place().start + 1, true);
    for entry in value.entries() {
        let part = layers.iter().find_map(|layer| layer.property(&entry.key));
        let is_omitted = entry.value.is_null()
            && !layers.iter().any(|layer| requires(*layer, &entry.key))
            && part.is_some_and(|part| !allows_null(part.resolved().value()));
        if is_omitted {
            // with the comma before it
            cuts.push(end..entry.place.end);
        } else {
            // where only cut entries are before it, there is no comma for them to take along
            if is_first
                && end > value.place().start + 1
                && let Some(cut) = cuts.last_mut()
            {
                cut.end = entry.place.start;
            }
            is_first = false;
            let others = || layers.iter().find_map(|layer| other_values(*layer));
            if let Some(part) = part.or_else(others) {
                find(part, entry.value, depth + 1, cuts);
            }
        }
        end = entry.place.end;
    }
}

/// The schemas that a value has to fit: `node`, and those that it refers to or combines, with one alternative of each choice.
fn layers<'a>(node: SchemaNode<'a>, value: Raw<'_>) -> Vec<SchemaNode<'a>> {
    let mut layers = vec![node.resolved()];
    let mut at = 0;
    while let Some(&layer) = layers.get(at) {
        if layers.len() > MOST_LAYERS {
            break;
        }
        layers.extend(layer.listed("allOf").map(SchemaNode::resolved));
        for choice in ["anyOf", "oneOf"] {
            let mut alternatives = layer.listed(choice).map(SchemaNode::resolved);
            let mut around = layers.clone();
            let fitting = alternatives.find(|alternative| fits(*alternative, &mut around, value));
            layers.extend(fitting);
        }
        at += 1;
    }
    layers
}

/// Whether a value may be of an alternative, which it is not if it has a key that neither the alternative nor the schemas around it
/// have: strict mode closes all objects.
fn fits<'a>(alternative: SchemaNode<'a>, around: &mut Vec<SchemaNode<'a>>, value: Raw<'_>) -> bool {
    // a choice may contain itself
    let is_around = |layer: &SchemaNode<'_>| std::ptr::eq(layer.value(), alternative.value());
    if around.iter().any(is_around) || !has_own_parts(alternative, value) {
        return false;
    }
    around.push(alternative);
    let mut inner = choices(alternative).peekable();
    let fits = if inner.peek().is_some() {
        inner.any(|inner| fits(inner.resolved(), around, value))
    } else {
        let knows = |layer: &SchemaNode<'_>, key: &str| {
            layer.property(key).is_some() || other_values(*layer).is_some()
        };
        let mut keys = value.entries().map(|entry| entry.key);
        keys.all(|key| around.iter().any(|layer| knows(layer, &key)))
    };
    around.pop();
    fits
}

/// Whether a value has the type, the constants and the required keys of a schema.
fn has_own_parts(node: SchemaNode<'_>, value: Raw<'_>) -> bool {
    let kind = match value.kind() {
        Kind::Object => "object",
        Kind::Array => "array",
        // no part of another value can be left out
        _ => return false,
    };
    let has_kind = match node.keyword("type") {
        Some(Value::String(name)) => name == kind,
        Some(Value::Array(names)) => names.iter().any(|name| name == kind),
        _ => true,
    };
    let constants = node.properties();
    let mut constants = constants.filter_map(|(key, part)| Some((key, part.keyword("const")?)));
    let has = |key: &str, constant| value.get(key).is_some_and(|part| part.equals(constant));
    has_kind
        && constants.all(|(key, constant)| has(key, constant))
        && required(node).all(|key| value.get(key).is_some())
}

fn choices(node: SchemaNode<'_>) -> impl Iterator<Item = SchemaNode<'_>> {
    let keywords = ["anyOf", "oneOf"].into_iter();
    keywords.flat_map(move |choice| node.listed(choice))
}

fn required(node: SchemaNode<'_>) -> impl Iterator<Item = &str> {
    let names = node.keyword("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

fn requires(node: SchemaNode<'_>, key: &str) -> bool {
    required(node).any(|name| name == key)
}

/// The schema of the values of a map.
fn other_values(node: SchemaNode<'_>) -> Option<SchemaNode<'_>> {
    part(node, |branch| {
        matches!(
            branch,
            Branch::Name("patternProperties", _) | Branch::Only("additionalProperties")
        )
    })
}

fn item_schema(node: SchemaNode<'_>, index: usize) -> Option<SchemaNode<'_>> {
    part(node, |branch| branch == Branch::Index("prefixItems", index))
        .or_else(|| part(node, |branch| branch == Branch::Only("items")))
}

/// The first object among the subschemas at some place.
fn part<'a>(node: SchemaNode<'a>, is_place: impl Fn(Branch<'_>) -> bool) -> Option<SchemaNode<'a>> {
    let mut found = None;
    subschemas(node, &mut |branch, part| {
        if found.is_none() && is_place(branch) && part.value().is_object() {
            found = Some(part);
        }
    });
    found
}
