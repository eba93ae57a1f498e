//! Reads the keywords of a single schema, except for references and choices.

use super::shape::{Alternative, Kind, Limit, NOTHING, Opaque};
use serde_json::{Map, Number, Value};
use skill_agent_schema::{Branch, SchemaNode, compare_numbers, subschemas};
use std::cmp::Ordering;

/// Returns the alternatives that the schema's keywords allow.
pub(super) fn local(node: SchemaNode<'_>) -> Vec<Alternative<'_>> {
    let types = types(node);
    let allowed = Kind::ALL.into_iter().filter_map(|kind| {
        let name = kind.name();
        let is_integer =
            kind == Kind::Number && !types.contains(&name) && types.contains(&"integer");
        (types.is_empty() || types.contains(&name) || is_integer).then_some((kind, is_integer))
    });
    let alternatives = allowed.map(|(kind, is_integer)| {
        let mut alternative = Alternative::any(kind);
        alternative.is_integer = is_integer;
        read(&mut alternative, node);
        alternative
    });
    let has_values = |alternative: &Alternative<'_>| {
        alternative
            .listed
            .as_ref()
            .is_none_or(|list| !list.is_empty())
    };
    alternatives.filter(has_values).collect()
}

/// Returns the names in `type`, or an empty list if all types are allowed.
fn types(node: SchemaNode<'_>) -> Vec<&str> {
    match node.keyword("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn read<'s>(alternative: &mut Alternative<'s>, node: SchemaNode<'s>) {
    let Some(keywords) = node.value().as_object() else {
        return;
    };
    read_values(alternative, keywords);
    match alternative.kind {
        Kind::Number => read_numbers(alternative, keywords),
        Kind::String | Kind::Array | Kind::Object => {
            let [least, greatest] = alternative.kind.lengths();
            alternative.least = keywords.get(least).and_then(Value::as_u64).unwrap_or(0);
            alternative.greatest = keywords.get(greatest).and_then(Value::as_u64);
        }
        Kind::Null | Kind::Boolean => {}
    }
    match alternative.kind {
        Kind::Array => read_items(alternative, node),
        Kind::Object => read_properties(alternative, node),
        _ => {}
    }
    let opaque = keywords
        .iter()
        .filter(|(keyword, value)| is_opaque(alternative.kind, keyword, value));
    alternative.opaque = opaque
        .map(|(keyword, value)| Opaque {
            keyword,
            node,
            value,
        })
        .collect();
}

fn read_values<'s>(alternative: &mut Alternative<'s>, keywords: &'s Map<String, Value>) {
    let kind = alternative.kind;
    let mut retain = |values: Vec<&'s Value>| {
        let values = values.into_iter().filter(|value| {
            Kind::of(value) == kind
                && alternative
                    .listed
                    .as_ref()
                    .is_none_or(|listed| listed.contains(value))
        });
        alternative.listed = Some(values.collect());
    };
    if let Some(constant) = keywords.get("const") {
        retain(vec![constant]);
    }
    if let Some(list) = keywords.get("enum").and_then(Value::as_array) {
        retain(list.iter().collect());
    }
}

fn read_numbers<'s>(alternative: &mut Alternative<'s>, keywords: &'s Map<String, Value>) {
    let number = |keyword: &str| keywords.get(keyword).and_then(Value::as_number);
    let limit = |keyword: &str, is_exclusive| {
        let number = number(keyword)?.clone();
        Some(Limit {
            number,
            is_exclusive,
        })
    };
    let is_integer = alternative.is_integer;
    let format = keywords
        .get("format")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let (low, high) = limits_of_format(format, is_integer);
    let lows = [
        limit("minimum", false),
        limit("exclusiveMinimum", true),
        low,
    ];
    let highs = [
        limit("maximum", false),
        limit("exclusiveMaximum", true),
        high,
    ];
    let whole = |limit: Limit, by: i64| if is_integer { whole(limit, by) } else { limit };
    for low in lows.into_iter().flatten() {
        let low = whole(low, 1);
        if super::shape::compare_lows(Some(&low), alternative.low.as_ref()).is_gt() {
            alternative.low = Some(low);
        }
    }
    for high in highs.into_iter().flatten() {
        let high = whole(high, -1);
        if super::shape::compare_highs(Some(&high), alternative.high.as_ref()).is_lt() {
            alternative.high = Some(high);
        }
    }
    alternative.steps.extend(number("multipleOf"));
}

/// Converts an exclusive limit for an integer to an inclusive one, moved by `by`.
fn whole(limit: Limit, by: i64) -> Limit {
    match limit
        .number
        .as_i64()
        .and_then(|number| number.checked_add(by))
    {
        Some(number) if limit.is_exclusive => Limit {
            number: number.into(),
            is_exclusive: false,
        },
        _ => limit,
    }
}

/// Returns the limits that a `format` from schemars implies and serde checks.
fn limits_of_format(format: &str, is_integer: bool) -> (Option<Limit>, Option<Limit>) {
    let limit = |number: Number| {
        Some(Limit {
            number,
            is_exclusive: false,
        })
    };
    let float = |number: f64| Number::from_f64(number).and_then(limit);
    match format {
        "float" if !is_integer => (float(f64::from(f32::MIN)), float(f64::from(f32::MAX))),
        _ if !is_integer => (None, None),
        "int8" => (limit(i8::MIN.into()), limit(i8::MAX.into())),
        "int16" => (limit(i16::MIN.into()), limit(i16::MAX.into())),
        "int32" => (limit(i32::MIN.into()), limit(i32::MAX.into())),
        "int64" | "int" => (limit(i64::MIN.into()), limit(i64::MAX.into())),
        "uint8" => (limit(0.into()), limit(u8::MAX.into())),
        "uint16" => (limit(0.into()), limit(u16::MAX.into())),
        "uint32" => (limit(0.into()), limit(u32::MAX.into())),
        "uint64" | "uint" => (limit(0.into()), limit(u64::MAX.into())),
        "uint128" => (limit(0.into()), None),
        _ => (None, None),
    }
}

fn read_items<'s>(alternative: &mut Alternative<'s>, node: SchemaNode<'s>) {
    subschemas(node, &mut |branch, node| match branch {
        Branch::Index("prefixItems", _) => alternative.first_items.push(vec![node]),
        Branch::Only("items") => alternative.items.push(node),
        _ => {}
    });
}

fn read_properties<'s>(alternative: &mut Alternative<'s>, node: SchemaNode<'s>) {
    subschemas(node, &mut |branch, node| match branch {
        Branch::Name("properties", name) => drop(alternative.properties.insert(name, vec![node])),
        Branch::Name("patternProperties", pattern) => {
            alternative.patterns.push((pattern, vec![node]));
        }
        Branch::Only("additionalProperties") => alternative.others.push(node),
        _ => {}
    });
    alternative.required = node.required().collect();
}

/// The keywords that evaluate additional properties or items for some of the values, other than the choices that `expand`
/// follows.
const CONDITIONAL: [&str; 7] = [
    "anyOf",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "contains",
    "$dynamicRef",
];

/// Returns whether the schema may evaluate more properties or items than any one of its alternatives.
pub(super) fn looks_at_more(node: SchemaNode<'_>) -> bool {
    CONDITIONAL
        .iter()
        .any(|keyword| node.keyword(keyword).is_some())
}

/// Applies `unevaluatedProperties` and `unevaluatedItems` to an alternative to which all neighboring keywords have been applied.
/// These two apply to everything that no other keyword evaluates.
pub(super) fn close<'s>(
    alternative: &mut Alternative<'s>,
    node: SchemaNode<'s>,
    looks_at_more: bool,
) {
    let (keyword, rest) = match alternative.kind {
        Kind::Array => ("unevaluatedItems", &mut alternative.items),
        Kind::Object => ("unevaluatedProperties", &mut alternative.others),
        _ => return,
    };
    // `additionalProperties` and `items` evaluate everything
    if !rest.is_empty() {
        return;
    }
    subschemas(node, &mut |branch, node| {
        if branch == Branch::Only(keyword) {
            rest.push(node);
        }
    });
    if looks_at_more && !rest.is_empty() {
        alternative.inexact = Some("an `unevaluated` keyword is combined with a choice");
    }
}

/// Returns whether a keyword restricts values of the type but can only be compared as written.
fn is_opaque(kind: Kind, keyword: &str, value: &Value) -> bool {
    match keyword {
        // these are read in this module, or followed by `expand`
        "type" | "const" | "enum" | "$ref" | "allOf" | "anyOf" | "oneOf" => false,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => false,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            false
        }
        "items"
        | "prefixItems"
        | "properties"
        | "patternProperties"
        | "additionalProperties"
        | "required" => false,
        // these do not affect the values
        "$schema" | "$id" | "$comment" | "$defs" | "$anchor" | "title" | "description"
        | "default" | "examples" | "deprecated" | "readOnly" | "writeOnly" => false,
        "pattern" | "format" | "contentEncoding" | "contentMediaType" | "contentSchema" => {
            kind == Kind::String
        }
        "uniqueItems" => kind == Kind::Array && value == true,
        "contains" | "minContains" | "maxContains" => kind == Kind::Array,
        "propertyNames" | "dependentRequired" | "dependentSchemas" => kind == Kind::Object,
        // these are read by `close`
        "unevaluatedItems" | "unevaluatedProperties" => false,
        keyword => !keyword.starts_with("x-"),
    }
}

/// Checks whether an alternative accepts a value, by its type, list, range and length. Returns `None` if these are not enough to
/// decide.
pub(super) fn accepts(alternative: &Alternative<'_>, value: &Value) -> Option<bool> {
    if Kind::of(value) != alternative.kind {
        return Some(false);
    }
    if let Some(listed) = &alternative.listed
        && !listed.contains(value)
    {
        return Some(false);
    }
    let length = match value {
        Value::Number(number) => return Some(is_in_range(alternative, number)),
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(entries) => entries.len(),
        Value::Null | Value::Bool(_) => return Some(true),
    };
    let length = length as u64;
    if length < alternative.least || alternative.greatest.is_some_and(|most| length > most) {
        return Some(false);
    }
    let is_bare = alternative.first_items.is_empty()
        && alternative.items.is_empty()
        && alternative.properties.is_empty()
        && alternative.required.is_empty()
        && alternative.patterns.is_empty()
        && alternative.others.is_empty();
    (value.is_string() || is_bare).then_some(true)
}

fn is_in_range(alternative: &Alternative<'_>, number: &Number) -> bool {
    let is_whole = number.as_f64().is_none_or(|float| float.fract() == 0.0);
    let at_least = |limit: &Limit| match compare_numbers(number, &limit.number) {
        Ordering::Greater => true,
        order => order.is_eq() && !limit.is_exclusive,
    };
    let at_most = |limit: &Limit| match compare_numbers(number, &limit.number) {
        Ordering::Less => true,
        order => order.is_eq() && !limit.is_exclusive,
    };
    let mut steps = alternative.steps.iter();
    (is_whole || !alternative.is_integer)
        && alternative.low.as_ref().is_none_or(at_least)
        && alternative.high.as_ref().is_none_or(at_most)
        && steps.all(|step| skill_agent_schema::is_multiple(number, step))
}

/// Returns the schema that accepts nothing, as a node.
pub(super) fn nothing<'s>() -> SchemaNode<'s> {
    SchemaNode::root(&NOTHING)
}
