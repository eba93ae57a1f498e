//! Checks the schema constraints that serde does not check: ranges, lengths and patterns.
//!
//! Serde has read the value, so its structure is already checked. Here, types, tags and required fields only help to find the
//! alternative of a choice that the value belongs to. A value whose structure differs from the schema is not a violation here,
//! because a schema may be hand-written. `format` and `uniqueItems` are annotations: the Rust type decides on them.

use crate::check::violation::{Constraint, Violation, range_text};
use crate::problem::Problem;
use crate::schema::node::SchemaNode;
use crate::schema::patterns::Patterns;
use crate::secrets::hidden::HIDDEN;
use crate::value::number::{compare, is_equal, is_multiple};
use crate::value::path::{Path, Step};
use regex_lite::Regex;
use serde_json::{Number, Value};
use std::fmt::Debug;
use std::ops::Bound;

/// The maximum number of references to follow in a row. References can form a cycle.
const MOST_HOPS: u8 = 16;
/// The maximum number of problems reported for one value.
const MOST_PROBLEMS: usize = 100;
/// The average number of subschemas that may be compared with each part of a value. Without this limit, nested choices could
/// multiply the comparisons.
const MOST_PER_PART: usize = 64;
const LEAST_STEPS: usize = 10_000;

/// Returns the constraint violations in `value`, whose path is `at`. Unless `quotes` is set, the messages do not quote the value.
pub fn constraint_problems(
    value: &Value,
    schema: &Value,
    at: &str,
    secrets: &[&str],
    quotes: bool,
) -> Vec<Problem> {
    let violations = violations(value, SchemaNode::root(schema), MOST_PROBLEMS).found;
    let hidden = (!quotes).then_some(HIDDEN);
    let problems = violations.iter();
    problems
        .map(|violation| violation.problem_with(at, secrets, hidden))
        .collect()
}

/// The constraint violations found in a value.
pub(crate) struct Violations<'v> {
    pub(crate) found: Vec<Violation<'v>>,
    /// Whether an object has a key unknown to its schema, such as the alias of a field or of a variant.
    pub(crate) has_unknown_keys: bool,
}

/// Returns the first `most` constraint violations in a value.
pub(crate) fn violations<'v>(
    value: &'v Value,
    schema: SchemaNode<'_>,
    most: usize,
) -> Violations<'v> {
    let mut check = Check::new(value, most);
    check.check(value, schema, MOST_HOPS);
    check.found.truncate(most);
    Violations {
        found: check.found,
        has_unknown_keys: check.has_unknown_keys,
    }
}

/// Returns the maximum number of subschemas to compare with `value`.
pub(crate) fn most_steps(value: &Value) -> usize {
    let steps = parts(value).saturating_mul(MOST_PER_PART);
    steps.max(LEAST_STEPS)
}

/// Counts the parts of a value, including the value itself.
pub(crate) fn parts(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(parts).sum::<usize>() + 1,
        Value::Object(entries) => entries.values().map(parts).sum::<usize>() + 1,
        _ => 1,
    }
}

struct Check<'v> {
    path: Path,
    found: Vec<Violation<'v>>,
    most: usize,
    /// The number of subschemas that may still be compared.
    steps: usize,
    /// Whether an object has a key unknown to its schema, such as the alias of a field or of a variant.
    has_unknown_keys: bool,
    patterns: Patterns,
}

impl<'v> Check<'v> {
    fn new(value: &Value, most: usize) -> Self {
        Self {
            path: Path::new(),
            found: Vec::new(),
            most,
            steps: most_steps(value),
            has_unknown_keys: false,
            patterns: Patterns::default(),
        }
    }

    /// Adds the violations in a value and its parts. Returns whether the value has the structure of the schema.
    fn check(&mut self, value: &'v Value, node: SchemaNode<'_>, hops: u8) -> bool {
        if self.found.len() >= self.most {
            return true;
        }
        let Some(steps) = self.steps.checked_sub(1) else {
            self.add(value, Constraint::Unknown);
            self.most = self.found.len();
            return true;
        };
        self.steps = steps;
        let has_shape = has_shape(value, node);
        self.check_value(value, node);
        let mut fits = has_shape;
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    fits &= self.check_part(item, Step::Index(index), node);
                }
            }
            Value::Object(entries) => {
                for (key, entry) in entries {
                    fits &= self.check_part(entry, Step::Key(key.clone().into()), node);
                }
            }
            _ => {}
        }
        let Some(hops) = hops.checked_sub(1) else {
            return fits;
        };
        for schema in node.target().into_iter().chain(node.listed("allOf")) {
            fits &= self.check(value, schema, hops);
        }
        for keyword in ["oneOf", "anyOf"] {
            fits &= self.check_choice(value, node, keyword, hops);
        }
        fits
    }

    fn check_part(&mut self, part: &'v Value, step: Step, node: SchemaNode<'_>) -> bool {
        let schemas = match &step {
            Step::Key(key) => self.patterns.schemas_of(key, node),
            Step::Index(_) => node.part(&step).into_iter().collect(),
        };
        let is_key = matches!(step, Step::Key(_));
        self.has_unknown_keys |=
            is_key && schemas.is_empty() && node.keyword("properties").is_some();
        self.path.push(step);
        let mut fits = true;
        for schema in schemas {
            fits &= self.check(part, schema, MOST_HOPS);
        }
        self.path.pop();
        fits
    }

    /// Adds the violations of the first alternative with the value's structure, unless an alternative has no violations.
    fn check_choice(
        &mut self,
        value: &'v Value,
        node: SchemaNode<'_>,
        keyword: &str,
        hops: u8,
    ) -> bool {
        if node.keyword(keyword).is_none() {
            return true;
        }
        let before = self.found.len();
        let mut first = None;
        let alternatives = node.listed(keyword);
        for alternative in alternatives.filter(|alternative| has_shape(value, *alternative)) {
            let fits = self.check(value, alternative, hops);
            let violations = self.found.split_off(before);
            if fits && violations.is_empty() {
                return true;
            }
            if fits {
                first.get_or_insert(violations);
            }
        }
        let fits = first.is_some();
        // an alternative may be written under an alias
        self.has_unknown_keys |= !fits;
        self.found.extend(first.into_iter().flatten());
        fits
    }

    /// Adds the violations of the value itself, ignoring its parts.
    fn check_value(&mut self, value: &'v Value, node: SchemaNode<'_>) {
        match value {
            Value::Number(number) => self.check_number(value, number, node),
            Value::String(text) => {
                self.check_length(value, node, ["minLength", "maxLength"], || {
                    text.chars().count()
                });
                self.check_pattern(value, text, node);
            }
            Value::Array(items) => {
                self.check_length(value, node, ["minItems", "maxItems"], || items.len());
            }
            Value::Object(entries) => {
                let keywords = ["minProperties", "maxProperties"];
                self.check_length(value, node, keywords, || entries.len());
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn check_number(&mut self, value: &'v Value, number: &Number, node: SchemaNode<'_>) {
        let limit = |keyword: &str| node.keyword(keyword).and_then(Value::as_number);
        let bound = |included: &str, excluded: &str| match (limit(included), limit(excluded)) {
            (_, Some(limit)) => Bound::Excluded(limit),
            (Some(limit), None) => Bound::Included(limit),
            (None, None) => Bound::Unbounded,
        };
        let low = bound("minimum", "exclusiveMinimum");
        let high = bound("maximum", "exclusiveMaximum");
        let is_high_enough = match low {
            Bound::Included(low) => compare(number, low).is_ge(),
            Bound::Excluded(low) => compare(number, low).is_gt(),
            Bound::Unbounded => true,
        };
        let is_low_enough = match high {
            Bound::Included(high) => compare(number, high).is_le(),
            Bound::Excluded(high) => compare(number, high).is_lt(),
            Bound::Unbounded => true,
        };
        if !is_high_enough || !is_low_enough {
            let text = |number: &Number| Literal(number.to_string());
            let range = range_text(low.map(text).as_ref(), high.map(text).as_ref());
            self.add(value, Constraint::Range(range));
        }
        if let Some(of) = limit("multipleOf")
            && !is_multiple(number, of)
        {
            self.add(value, Constraint::Multiple(of.clone()));
        }
    }

    fn check_length(
        &mut self,
        value: &'v Value,
        node: SchemaNode<'_>,
        [least, greatest]: [&str; 2],
        length: impl FnOnce() -> usize,
    ) {
        let limit = |keyword| node.keyword(keyword).and_then(Value::as_u64);
        let (least, greatest) = (limit(least), limit(greatest));
        if least.is_none() && greatest.is_none() {
            return;
        }
        let length = length();
        let is_short = least.is_some_and(|least| (length as u64) < least);
        if is_short || greatest.is_some_and(|greatest| length as u64 > greatest) {
            let bound = |limit| Option::as_ref(limit).map_or(Bound::Unbounded, Bound::Included);
            let range = range_text(bound(&least), bound(&greatest));
            self.add(value, Constraint::Length(range, length));
        }
    }

    fn check_pattern(&mut self, value: &'v Value, text: &str, node: SchemaNode<'_>) {
        let Some(pattern) = node.keyword("pattern").and_then(Value::as_str) else {
            return;
        };
        if self.patterns.is_match(pattern, text) == Some(false) {
            self.add(value, Constraint::Pattern(pattern.to_owned()));
        }
    }

    fn add(&mut self, value: &'v Value, constraint: Constraint) {
        self.found.push(Violation {
            path: self.path.clone(),
            value,
            constraint,
        });
    }
}

/// A number whose `Debug` output is exactly this string.
struct Literal(String);

impl Debug for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Checks that a value has the schema's type, constant and fields, without looking at its parts.
fn has_shape(value: &Value, node: SchemaNode<'_>) -> bool {
    let keywords = node.value().as_object();
    // one pass costs less than a lookup for each keyword
    let mut keywords = keywords.into_iter().flatten();
    keywords.all(|(keyword, expected)| match (keyword.as_str(), expected) {
        ("type", Value::String(kind)) => is_a(value, kind),
        ("type", Value::Array(kinds)) => {
            let mut kinds = kinds.iter().filter_map(Value::as_str);
            kinds.any(|kind| is_a(value, kind))
        }
        ("enum", Value::Array(listed)) => listed.iter().any(|listed| is_equal(listed, value)),
        ("const", constant) => is_equal(constant, value),
        ("required", Value::Array(names)) => value.as_object().is_none_or(|entries| {
            let mut names = names.iter().filter_map(Value::as_str);
            names.all(|name| entries.contains_key(name))
        }),
        ("additionalProperties", Value::Bool(false)) => value
            .as_object()
            .is_none_or(|entries| entries.keys().all(|key| node.entry(key).is_some())),
        _ => true,
    })
}

/// Returns whether the regex engine supports `pattern`.
#[must_use]
pub fn is_regex(pattern: &str) -> bool {
    Regex::new(pattern).is_ok()
}

/// Returns whether a value has the JSON Schema type `kind`.
pub(crate) fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => match value {
            Value::Number(number) => number.as_f64().is_none_or(|float| float.fract() == 0.0),
            _ => false,
        },
        _ => true,
    }
}
