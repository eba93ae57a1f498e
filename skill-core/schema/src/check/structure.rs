//! Compares the structure of a value with a schema: types, constants, required and unknown fields.
//!
//! Only tools without a Rust type need this, because serde checks the structure of all other values. A keyword that is not
//! handled here allows every value, and the tool itself has to check it.

use crate::check::constraints::{is_a, most_steps};
use crate::problem::{Problem, is_full};
use crate::schema::node::SchemaNode;
use crate::value::number::is_equal;
use crate::value::path::{Path, Step, below, shorten_name};
use serde_json::{Map, Value};

/// The maximum number of references and alternatives to follow in a row. References can form a cycle.
const MOST_HOPS: u8 = 16;
/// The maximum number of constants listed in a message.
const MOST_SHOWN: usize = 100;
/// The maximum number of mistakes kept during the check. The sender controls the number of mistakes.
const MOST_FOUND: usize = 1_000;

/// Returns the parts of a value whose structure does not match the schema.
pub fn structure_problems(value: &Value, schema: &Value) -> Vec<Problem> {
    let mut check = Check {
        path: Path::new(),
        steps: most_steps(value),
        found: Vec::new(),
    };
    check.check(value, SchemaNode::root(schema), MOST_HOPS);
    let mut problems: Vec<Problem> = Vec::new();
    for found in check.found {
        // a part is compared with every schema that applies to it, so a problem may be found twice
        if !problems.contains(&found.problem) && !is_full(&mut problems) {
            problems.push(found.problem);
        }
    }
    problems
}

struct Check {
    path: Path,
    /// The number of subschemas that may still be compared.
    steps: usize,
    found: Vec<Found>,
}

/// A mistake and its depth in the value.
struct Found {
    problem: Problem,
    depth: usize,
}

/// The value has a mistake, so the rest of it is not compared.
struct Mistaken;

impl Check {
    /// Finds the mistakes in a value and its parts.
    fn check(&mut self, value: &Value, node: SchemaNode<'_>, hops: u8) {
        if self.check_whole(value, node).is_err() {
            return;
        }
        match value {
            Value::Object(entries) => self.check_object(entries, node),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    if let Some(schema) = node.part(&Step::Index(index)) {
                        self.check_part(item, Step::Index(index), schema);
                    }
                }
            }
            _ => {}
        }
        let Some(hops) = hops.checked_sub(1) else {
            return;
        };
        for schema in node.target().into_iter().chain(node.listed("allOf")) {
            self.check(value, schema, hops);
        }
        self.check_choice(value, node, "anyOf", hops);
        self.check_choice(value, node, "oneOf", hops);
    }

    /// Compares the value itself, ignoring its parts.
    fn check_whole(&mut self, value: &Value, node: SchemaNode<'_>) -> Result<(), Mistaken> {
        self.take_steps(1)?;
        if node.value() == &Value::Bool(false) {
            return Err(self.wrong("there can be no value here"));
        }
        self.check_type(value, node)?;
        self.check_constants(value, node)
    }

    fn take_steps(&mut self, steps: usize) -> Result<(), Mistaken> {
        let Some(left) = self.steps.checked_sub(steps) else {
            self.steps = 0;
            return Err(self.wrong("its schema has too many nested alternatives to check it"));
        };
        self.steps = left;
        Ok(())
    }

    fn check_part(&mut self, part: &Value, step: Step, schema: SchemaNode<'_>) {
        self.path.push(step);
        self.check(part, schema, MOST_HOPS);
        self.path.pop();
    }

    fn check_type(&mut self, value: &Value, node: SchemaNode<'_>) -> Result<(), Mistaken> {
        let kinds: Vec<&str> = match node.keyword("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => return Ok(()),
        };
        if kinds.iter().any(|kind| is_a(value, kind)) {
            return Ok(());
        }
        let expected: Vec<&str> = kinds.into_iter().map(with_article).collect();
        let (found, expected) = (shown(value), expected.join(" or "));
        Err(self.wrong(&format!("invalid type: {found}, expected {expected}")))
    }

    fn check_constants(&mut self, value: &Value, node: SchemaNode<'_>) -> Result<(), Mistaken> {
        let allowed: &[Value] = match (node.keyword("enum"), node.keyword("const")) {
            (Some(Value::Array(allowed)), _) => allowed,
            (_, Some(constant)) => std::slice::from_ref(constant),
            _ => return Ok(()),
        };
        self.take_steps(allowed.len())?;
        if allowed.iter().any(|allowed| is_equal(allowed, value)) {
            return Ok(());
        }
        let quoted = |value: &Value| match value {
            Value::String(text) => format!("`{}`", shorten_name(text)),
            other => format!("`{}`", shorten_name(&other.to_string())),
        };
        let mut expected: Vec<String> = allowed.iter().take(MOST_SHOWN).map(quoted).collect();
        if allowed.len() > MOST_SHOWN {
            expected.push("…".to_owned());
        }
        let expected = match &expected[..] {
            [only] => only.clone(),
            [one, other] => format!("{one} or {other}"),
            several => format!("one of {}", several.join(", ")),
        };
        // this is serde's wording, because the suggestion is derived from it
        let message = format!("unknown variant {}, expected {expected}", quoted(value));
        Err(self.add(Problem::from_serde(self.text(), &message)))
    }

    fn check_object(&mut self, entries: &Map<String, Value>, node: SchemaNode<'_>) {
        let others = node.keyword("additionalProperties");
        let is_closed =
            others == Some(&Value::Bool(false)) && node.keyword("patternProperties").is_none();
        for (name, entry) in entries {
            let step = || Step::Key(name.clone().into());
            match (node.property(name), others) {
                (Some(schema), _) => self.check_part(entry, step(), schema),
                (None, _) if is_closed => {
                    let known = node.properties().map(|(name, _)| name);
                    let path = below(&self.text(), &[step()]);
                    self.add(Problem::unknown_field(path, name, known));
                }
                (None, Some(others)) if others.is_object() && !has_patterns(node) => {
                    self.check_part(entry, step(), node.to(others));
                }
                (None, _) => {}
            }
        }
        for missing in node.required().filter(|name| !entries.contains_key(*name)) {
            self.wrong(&format!("missing field `{missing}`"));
        }
    }

    /// Checks that the value matches at least one alternative. If none does, reports the alternative whose mistakes are deepest
    /// in the value, because it is the most likely one.
    fn check_choice(&mut self, value: &Value, node: SchemaNode<'_>, keyword: &str, hops: u8) {
        let before = self.found.len();
        let mut likeliest: Option<(usize, Vec<Found>)> = None;
        for alternative in node.listed(keyword) {
            self.check(value, alternative, hops);
            let found = self.found.split_off(before);
            let Some(depth) = found.iter().map(|found| found.depth).max() else {
                return;
            };
            if likeliest
                .as_ref()
                .is_none_or(|(deepest, _)| *deepest < depth)
            {
                likeliest = Some((depth, found));
            }
        }
        self.found
            .extend(likeliest.into_iter().flat_map(|(_, found)| found));
    }

    fn text(&self) -> String {
        below("", &self.path)
    }

    fn wrong(&mut self, message: &str) -> Mistaken {
        self.add(Problem::quoting(self.text(), message))
    }

    fn add(&mut self, problem: Problem) -> Mistaken {
        let depth = self.path.len();
        if self.found.len() < MOST_FOUND {
            self.found.push(Found { problem, depth });
        }
        Mistaken
    }
}

fn has_patterns(node: SchemaNode<'_>) -> bool {
    node.keyword("patternProperties").is_some()
}

/// Describes a value in serde's wording.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("boolean `{value}`"),
        Value::Number(number) if number.is_f64() => format!("floating point `{number}`"),
        Value::Number(number) => format!("integer `{number}`"),
        Value::String(text) => format!("string {text:?}"),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Returns the name of a JSON type in words.
pub(crate) fn with_article(kind: &str) -> &str {
    match kind {
        "boolean" => "a boolean",
        "string" => "a string",
        "array" => "a list",
        "object" => "an object",
        "number" => "a number",
        "integer" => "an integer",
        other => other,
    }
}
