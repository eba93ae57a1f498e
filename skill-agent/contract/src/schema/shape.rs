//! Represents schemas as alternatives of a single JSON type each, so that two schemas can be compared part by part.

use super::listed::Listed;
use serde_json::{Number, Value};
use skill_agent_schema::SchemaNode;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Schemas that all apply, so that an empty list accepts every value.
pub(super) type All<'s> = Vec<SchemaNode<'s>>;

/// The schema that accepts nothing.
pub(super) static NOTHING: Value = Value::Bool(false);
static YES: Value = Value::Bool(true);

/// Returns whether the schemas are known to accept nothing, because one of them is `false`.
pub(super) fn is_nothing(all: &[SchemaNode<'_>]) -> bool {
    all.iter().any(|node| node.value() == false)
}

/// Returns whether the schemas accept every value.
pub(super) fn is_anything(all: &[SchemaNode<'_>]) -> bool {
    let is_empty =
        |value: &Value| value == true || value.as_object().is_some_and(serde_json::Map::is_empty);
    all.iter().all(|node| is_empty(node.value()))
}

/// A JSON type, where integers count as numbers.
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

    /// Returns the keywords for the minimum and the maximum length.
    pub(super) fn lengths(self) -> [&'static str; 2] {
        match self {
            Self::Array => ["minItems", "maxItems"],
            Self::Object => ["minProperties", "maxProperties"],
            _ => ["minLength", "maxLength"],
        }
    }
}

/// The lower or upper limit of a range of numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Limit {
    pub(super) number: Number,
    /// Whether the limit itself is outside the range.
    pub(super) is_exclusive: bool,
}

/// A keyword that can only be compared as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opaque<'s> {
    pub(super) keyword: &'s str,
    pub(super) node: SchemaNode<'s>,
    pub(super) value: &'s Value,
}

impl Opaque<'_> {
    /// Returns whether both keywords have the same name and value, and the same definitions if the value refers to any.
    pub(super) fn is(&self, other: &Opaque<'_>) -> bool {
        self.keyword == other.keyword && same(self.value, self.node, other.value, other.node)
    }
}

/// Returns whether two keyword values are equal, including everything that they refer to.
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

/// The values of a single JSON type that a schema accepts.
#[derive(Clone, Debug)]
pub(super) struct Alternative<'s> {
    pub(super) kind: Kind,
    /// The only values that are accepted, from `enum` and `const`.
    pub(super) listed: Option<Listed<'s>>,
    pub(super) is_integer: bool,
    pub(super) low: Option<Limit>,
    pub(super) high: Option<Limit>,
    /// The divisors: every number must be a multiple of each of them.
    pub(super) steps: Vec<&'s Number>,
    /// The minimum length of a string, array or object.
    pub(super) least: u64,
    pub(super) greatest: Option<u64>,
    pub(super) first_items: Vec<All<'s>>,
    pub(super) items: All<'s>,
    pub(super) properties: BTreeMap<&'s str, All<'s>>,
    pub(super) required: BTreeSet<&'s str>,
    pub(super) patterns: Vec<(&'s str, All<'s>)>,
    /// The schemas for all other keys.
    pub(super) others: All<'s>,
    pub(super) opaque: Vec<Opaque<'s>>,
    /// Why the alternative does not represent the schema exactly and therefore cannot be compared.
    pub(super) inexact: Option<&'static str>,
}

impl<'s> Alternative<'s> {
    /// Creates the alternative that accepts all values of a type.
    pub(super) fn any(kind: Kind) -> Self {
        Self {
            kind,
            // a boolean is compared like a choice between both of its values
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

    /// Returns whether the values are restricted by a list and by nothing else.
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

    /// Returns the schemas of the item at an index.
    pub(super) fn item(&self, index: usize) -> &All<'s> {
        self.first_items.get(index).unwrap_or(&self.items)
    }

    /// Returns the name of the JSON type, or `integer`.
    pub(super) fn type_name(&self) -> &'static str {
        if self.is_integer {
            "integer"
        } else {
            self.kind.name()
        }
    }

    /// Returns a name for the variant, for use in a message.
    pub(super) fn name(&self) -> String {
        let required = || self.required.iter().copied().collect::<Vec<_>>().join(", ");
        self.label().unwrap_or_else(|| match self.kind {
            Kind::Object if !self.required.is_empty() => format!("{{{}}}", required()),
            _ => self.type_name().to_owned(),
        })
    }

    /// Returns the label of a variant, which is the constant in its tag or its only key.
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

/// Orders two lower limits. A smaller limit accepts more values.
pub(super) fn compare_lows(one: Option<&Limit>, other: Option<&Limit>) -> Ordering {
    match (one, other) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some(one), Some(other)) => skill_agent_schema::compare_numbers(&one.number, &other.number)
            .then(one.is_exclusive.cmp(&other.is_exclusive)),
    }
}

/// Orders two upper limits. A greater limit accepts more values.
pub(super) fn compare_highs(one: Option<&Limit>, other: Option<&Limit>) -> Ordering {
    match (one, other) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(one), Some(other)) => skill_agent_schema::compare_numbers(&one.number, &other.number)
            .then(other.is_exclusive.cmp(&one.is_exclusive)),
    }
}
