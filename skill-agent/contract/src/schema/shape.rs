//! Schemas as alternatives, each of one JSON type, so that two of them can be compared part by part.

use super::listed::Listed;
use serde_json::{Number, Value};
use skill_agent_schema::SchemaNode;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Schemas that all hold. Without any, every value is one.
pub(super) type All<'s> = Vec<SchemaNode<'s>>;

/// The schema of nothing.
pub(super) static NOTHING: Value = Value::Bool(false);
static YES: Value = Value::Bool(true);

/// Whether no value is one of these schemas, as far as it is written as `false`.
pub(super) fn is_nothing(all: &[SchemaNode<'_>]) -> bool {
    all.iter().any(|node| node.value() == false)
}

/// Whether every value is one of these schemas.
pub(super) fn is_anything(all: &[SchemaNode<'_>]) -> bool {
    let is_empty =
        |value: &Value| value == true || value.as_object().is_some_and(serde_json::Map::is_empty);
    all.iter().all(|node| is_empty(node.value()))
}

/// A type of JSON. An integer is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    pub(super) const ALL: [Self; 6] = [
        Self::Null,
        Self::Boolean,
        Self::Number,
        Self::String,
        Self::Array,
        Self::Object,
    ];

    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// The keywords of the least and the greatest length.
    pub(super) fn lengths(self) -> [&'static str; 2] {
        match self {
            Self::Array => ["minItems", "maxItems"],
            Self::Object => ["minProperties", "maxProperties"],
            _ => ["minLength", "maxLength"],
        }
    }
}

/// An end of a range of numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Limit {
    pub(super) number: Number,
    /// Whether the number itself is out of range.
    pub(super) is_exclusive: bool,
}

/// A keyword that is only compared as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opaque<'s> {
    pub(super) keyword: &'s str,
    pub(super) node: SchemaNode<'s>,
    pub(super) value: &'s Value,
}

impl Opaque<'_> {
    /// Whether both have the same keyword with the same value, and with the same definitions if the value refers to them.
    pub(super) fn is(&self, other: &Opaque<'_>) -> bool {
        self.keyword == other.keyword && same(self.value, self.node, other.value, other.node)
    }
}

/// Whether two values of keywords are equal, with all that they refer to.
pub(super) fn same(
    one: &Value,
    in_one: SchemaNode<'_>,
    other: &Value,
    in_other: SchemaNode<'_>,
) -> bool {
    one == other
        && (!refers(one) || in_one.document().get("$defs") == in_other.document().get("$defs"))
}

fn refers(value: &Value) -> bool {
    match value {
        Value::Object(entries) => entries.contains_key("$ref") || entries.values().any(refers),
        Value::Array(items) => items.iter().any(refers),
        _ => false,
    }
}

/// The values of one JSON type that a schema allows.
#[derive(Clone, Debug)]
pub(super) struct Alternative<'s> {
    pub(super) kind: Kind,
    /// The only values, from `enum` and `const`.
    pub(super) listed: Option<Listed<'s>>,
    pub(super) is_integer: bool,
    pub(super) low: Option<Limit>,
    pub(super) high: Option<Limit>,
    /// Each number is a multiple of these.
    pub(super) steps: Vec<&'s Number>,
    /// The least length of a text, an array or an object.
    pub(super) least: u64,
    pub(super) greatest: Option<u64>,
    pub(super) first_items: Vec<All<'s>>,
    pub(super) items: All<'s>,
    pub(super) properties: BTreeMap<&'s str, All<'s>>,
    pub(super) required: BTreeSet<&'s str>,
    pub(super) patterns: Vec<(&'s str, All<'s>)>,
    /// The values of the other keys.
    pub(super) others: All<'s>,
    pub(super) opaque: Vec<Opaque<'s>>,
    /// Why it is not exactly what the schema says, and cannot be compared.
    pub(super) inexact: Option<&'static str>,
}

impl<'s> Alternative<'s> {
    /// All values of a type.
    pub(super) fn any(kind: Kind) -> Self {
        Self {
            kind,
            // so that a boolean is compared like the choice of both
            listed: (kind == Kind::Boolean).then(|| [&NOTHING, &YES].into_iter().collect()),
            is_integer: false,
            low: None,
            high: None,
            steps: Vec::new(),
            least: 0,
            greatest: None,
            first_items: Vec::new(),
            items: Vec::new(),
            properties: BTreeMap::new(),
            required: BTreeSet::new(),
            patterns: Vec::new(),
            others: Vec::new(),
            opaque: Vec::new(),
            inexact: None,
        }
    }

    /// Whether the values are restricted by a list alone.
    pub(super) fn is_only_listed(&self) -> bool {
        self.listed.is_some()
            && (&self.low, &self.high, self.inexact) == (&None, &None, None)
            && (self.least, self.greatest) == (0, None)
            && self.steps.is_empty()
            && self.first_items.is_empty()
            && self.items.is_empty()
            && self.properties.is_empty()
            && self.required.is_empty()
            && self.patterns.is_empty()
            && self.others.is_empty()
            && self.opaque.is_empty()
    }

    /// The schemas of the item at an index.
    pub(super) fn item(&self, index: usize) -> &All<'s> {
        self.first_items.get(index).unwrap_or(&self.items)
    }

    /// The name of the type.
    pub(super) fn type_name(&self) -> &'static str {
        if self.is_integer {
            "integer"
        } else {
            self.kind.name()
        }
    }

    /// The name of a variant in a message.
    pub(super) fn name(&self) -> String {
        let required = || self.required.iter().copied().collect::<Vec<_>>().join(", ");
        self.label().unwrap_or_else(|| match self.kind {
            Kind::Object if !self.required.is_empty() => format!("{{{}}}", required()),
            _ => self.type_name().to_owned(),
        })
    }

    /// The name of a variant: the constant in its tag, or its only key.
    pub(super) fn label(&self) -> Option<String> {
        let tag = |name: &&str| {
            let [node] = self.properties.get(*name)?[..] else {
                return None;
            };
            let only = node.keyword("enum").and_then(Value::as_array);
            let only = only
                .filter(|list| list.len() == 1)
                .and_then(|list| list.first());
            Some(node.keyword("const").or(only)?.as_str()?.to_owned())
        };
        let mut names = self.required.iter();
        names.find_map(tag).or_else(|| match self.required.len() {
            1 if is_nothing(&self.others) => self.required.first().map(|name| (*name).to_owned()),
            _ => None,
        })
    }
}

/// The order of two low ends: the lower one allows more.
pub(super) fn compare_lows(one: Option<&Limit>, other: Option<&Limit>) -> Ordering {
    match (one, other) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some(one), Some(other)) => skill_agent_schema::compare_numbers(&one.number, &other.number)
            .then(one.is_exclusive.cmp(&other.is_exclusive)),
    }
}

/// The order of two high ends: the higher one allows more.
pub(super) fn compare_highs(one: Option<&Limit>, other: Option<&Limit>) -> Ordering {
    match (one, other) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(one), Some(other)) => skill_agent_schema::compare_numbers(&one.number, &other.number)
            .then(other.is_exclusive.cmp(&one.is_exclusive)),
    }
}
