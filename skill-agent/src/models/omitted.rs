//! The `null`s that strict mode sends for omitted arguments.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use skill_core::__private::{Branch, SchemaNode, subschemas};
use skill_core::serde_json::Value;
use skill_core::{MAX_ARGUMENT_BYTES, MAX_DEPTH};

use super::projection::allows_null;
use super::raw::{Kind, Raw};

/// The most schemas that one value is compared with. They can form a cycle.
const MOST_LAYERS: usize = 64;

/// The most work for one text, in bytes that are compared with a schema. Choices within choices could double it at each level.
const MOST_WORK: usize = 64 * MAX_ARGUMENT_BYTES;

/// The work of a comparison besides the bytes.
const WORK_OF_COMPARISON: usize = 256;

/// Removes the `null`s that a schema does not allow from properties that may be left out. Text that is not JSON is kept, and so is
/// one that is too large for arguments or takes too much work.
pub(crate) fn restore<'a>(schema: &Value, arguments: &'a str) -> Cow<'a, str> {
    if arguments.len() > MAX_ARGUMENT_BYTES || !arguments.contains("null") {
        return Cow::Borrowed(arguments);
    }
    let Ok(raw) = Raw::parse(arguments) else {
        return Cow::Borrowed(arguments);
    };
    let mut finder = Finder {
        cuts: Vec::new(),
        work: MOST_WORK,
    };
    finder.find(SchemaNode::root(schema), raw, 0);
    let Finder { cuts, work } = finder;
    if cuts.is_empty() || work == 0 {
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

struct Finder {
    /// The places to cut out, in order.
    cuts: Vec<Range<usize>>,
    /// How much more work may be done.
    work: usize,
}

impl Finder {
    fn find(&mut self, node: SchemaNode<'_>, value: Raw<'_>, depth: usize) {
        // deeper arguments are refused when they are read
        if depth >= MAX_DEPTH {
            return;
        }
        match value.kind() {
            Kind::Object => {
                let layers = self.layers(node, value);
                self.find_in_object(&layers, value, depth);
            }
            Kind::Array => {
                let layers = self.layers(node, value);
                for (index, item) in value.items().enumerate() {
                    let part = layers.iter().find_map(|layer| item_schema(*layer, index));
                    if let Some(part) = part {
                        self.find(part, item, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    fn find_in_object(&mut self, layers: &[SchemaNode<'_>], value: Raw<'_>, depth: usize) {
        // which of several values counts is for the reader
        let mut keys = BTreeSet::new();
        if !value.entries().all(|entry| keys.insert(entry.key)) {
            return;
        }
        let (mut end, mut is_first) = (value.place().start + 1, true);
        for entry in value.entries() {
            let mut parts = layers.iter().filter_map(|layer| layer.property(&entry.key));
            let is_omitted = entry.value.is_null()
                && !layers.iter().any(|layer| requires(*layer, &entry.key))
                && parts.clone().next().is_some()
                && !parts
                    .clone()
                    .all(|part| allows_null(part.resolved().value()));
            if is_omitted {
                // with the comma before it
                self.cuts.push(end..entry.place.end);
            } else {
                // where only cut entries are before it, there is no comma for them to take along
                if is_first
                    && end > value.place().start + 1
                    && let Some(cut) = self.cuts.last_mut()
                {
                    cut.end = entry.place.start;
                }
                is_first = false;
                let others = || layers.iter().find_map(|layer| other_values(*layer));
                if let Some(part) = parts.next().or_else(others) {
                    self.find(part, entry.value, depth + 1);
                }
            }
            end = entry.place.end;
        }
    }

    /// The schemas that a value has to fit: `node`, and those that it refers to or combines, with one alternative of each choice.
    fn layers<'a>(&mut self, node: SchemaNode<'a>, value: Raw<'_>) -> Vec<SchemaNode<'a>> {
        let mut layers = vec![node];
        let mut at = 0;
        while let Some(&layer) = layers.get(at) {
            if layers.len() > MOST_LAYERS {
                break;
            }
            layers.extend(parts(layer));
            for choice in ["anyOf", "oneOf"] {
                let mut around = layers.clone();
                let mut alternatives = layer.listed(choice);
                let fitting =
                    alternatives.find(|alternative| self.fits(*alternative, &mut around, value));
                layers.extend(fitting);
            }
            at += 1;
        }
        layers
    }

    /// Whether a value may be of an alternative, which it is not if it has a key that neither the alternative nor the schemas around
    /// it have: strict mode closes all objects.
    fn fits<'a>(
        &mut self,
        alternative: SchemaNode<'a>,
        around: &mut Vec<SchemaNode<'a>>,
        value: Raw<'_>,
    ) -> bool {
        let from = around.len();
        around.push(alternative);
        let fits = self.has_all_parts(around, from, value) && {
            let inner: Vec<SchemaNode<'a>> =
                around[from..].iter().copied().flat_map(choices).collect();
            if inner.is_empty() {
                let knows = |layer: &SchemaNode<'_>, key: &str| {
                    layer.property(key).is_some() || other_values(*layer).is_some()
                };
                let mut keys = value.entries().map(|entry| entry.key);
                keys.all(|key| around.iter().any(|layer| knows(layer, &key)))
            } else {
                inner
                    .into_iter()
                    .any(|inner| self.fits(inner, around, value))
            }
        };
        around.truncate(from);
        fits
    }

    /// Adds what the schema at `from` refers to and combines. Returns whether a value has the parts of each of them.
    fn has_all_parts(
        &mut self,
        around: &mut Vec<SchemaNode<'_>>,
        from: usize,
        value: Raw<'_>,
    ) -> bool {
        let mut at = from;
        while let Some(&layer) = around.get(at) {
            self.work = self
                .work
                .saturating_sub(WORK_OF_COMPARISON + value.text().len());
            // a choice may contain itself
            let is_same = |outer: &SchemaNode<'_>| std::ptr::eq(outer.value(), layer.value());
            let is_repeated = around[..at].iter().any(is_same);
            if self.work == 0 || at > 2 * MOST_LAYERS || is_repeated || !has_own_parts(layer, value)
            {
                return false;
            }
            around.extend(parts(layer));
            at += 1;
        }
        true
    }
}

/// The schemas that hold together with a schema: what it refers to, and the parts of `allOf`.
fn parts(node: SchemaNode<'_>) -> impl Iterator<Item = SchemaNode<'_>> {
    let target = node.target().into_iter();
    target.chain(node.listed("allOf"))
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
