//! The formats of strings in a schema, with an example of each format. The types that read such strings report mistakes in their
//! own words, such as "input contains invalid characters", and do not show the expected form.

use serde_json::Value;

use crate::problem::Problem;
use crate::schema::kinds::expected_kind;
use crate::schema::node::SchemaNode;
use crate::value::at_path::at;
use crate::value::path::{Path, Step};

/// The string formats of JSON Schema and schemars, with the name used in messages and an example.
const FORMATS: [(&str, &str, &str); 13] = [
    ("date", "a date", "2026-01-31"),
    ("time", "a time", "09:30:00Z"),
    ("partial-time", "a time", "09:30:00"),
    ("date-time", "a date and a time", "2026-01-31T09:30:00Z"),
    (
        "partial-date-time",
        "a date and a time",
        "2026-01-31T09:30:00",
    ),
    ("duration", "a duration", "PT1H30M"),
    ("uuid", "a UUID", "67e55044-10b1-426f-9247-bb680e5fe0c8"),
    ("uri", "a URI", "https://example.com/page"),
    ("email", "an email address", "ada@example.com"),
    ("hostname", "a host name", "example.com"),
    ("ip", "an IP address", "192.0.2.1"),
    ("ipv4", "an IPv4 address", "192.0.2.1"),
    ("ipv6", "an IPv6 address", "2001:db8::1"),
];

/// The beginnings of serde messages that already say what is expected, or that describe a mistake outside of a string.
const COMPLETE: [&str; 6] = [
    "missing field",
    "unknown field",
    "unknown variant",
    "duplicate field",
    "invalid type",
    "invalid length",
];

/// Adds a suggested fix for an invalid value, if its schema shows one: to leave out an optional `null`, to write the fields of an
/// object or one of the alternatives, or to use the schema's `format`, with an example. `sent` is the document, if it could be read
/// as a value.
#[cold]
pub(crate) fn advise(problem: &mut Problem, sent: Option<&Value>, schema: &Value) {
    if problem.help.is_some() {
        return;
    }
    let Some(path) = steps(&problem.path) else {
        return;
    };
    let is_null = sent
        .and_then(|sent| at(sent, &path))
        .is_some_and(Value::is_null);
    if is_null && may_be_left_out(&path, schema) {
        problem.help = Some("leave it out".to_owned());
    } else if let Some(help) = expected_kind(&problem.message, &path, schema) {
        problem.help = Some(help);
    } else if !is_complete(problem) {
        problem.help = expected_form(&path, schema);
    }
}

/// Returns whether the value at `path` is an optional property.
fn may_be_left_out(path: &[Step], schema: &Value) -> bool {
    let Some((Step::Key(name), parent)) = path.split_last() else {
        return false;
    };
    let Some(node) = SchemaNode::root(schema).at(parent) else {
        return false;
    };
    let node = node.resolved();
    let mut objects = std::iter::once(node).chain(node.alternatives().map(SchemaNode::resolved));
    let object = objects.find(|object| object.property(name).is_some());
    object.is_some_and(|object| !object.required().any(|required| required == name))
}

/// Returns an example of a string in the given format.
pub(crate) fn example_of(format: &str) -> Option<&'static str> {
    let (.., example) = FORMATS.iter().find(|(known, ..)| *known == format)?;
    Some(example)
}

fn is_complete(problem: &Problem) -> bool {
    let begins = |words: &&str| problem.message.starts_with(*words);
    COMPLETE.iter().any(begins)
}

/// Describes the expected form of the value at `path`, if its schema has a `format`.
fn expected_form(path: &[Step], schema: &Value) -> Option<String> {
    let node = SchemaNode::root(schema).at(path)?.resolved();
    let format = format_of(node).or_else(|| node.alternatives().find_map(format_of))?;
    let (_, name, example) = FORMATS.iter().find(|(known, ..)| *known == format)?;
    Some(format!("expected {name}, such as `{example}`"))
}

fn format_of(node: SchemaNode<'_>) -> Option<&str> {
    node.resolved().keyword("format")?.as_str()
}

/// Parses a path as written by [`below`](crate::value::path::below).
pub(crate) fn steps(path: &str) -> Option<Path> {
    let (mut steps, mut rest) = (Path::new(), path);
    while !rest.is_empty() {
        let step;
        (step, rest) = match rest.strip_prefix('[') {
            Some(bracket) => in_brackets(bracket)?,
            None => {
                let key = rest.strip_prefix('.').unwrap_or(rest);
                let (key, after) = key.split_at(key.find(['.', '[']).unwrap_or(key.len()));
                (Step::Key(key.to_owned().into()), after)
            }
        };
        steps.push(step);
    }
    Some(steps)
}

/// Parses the step before `]`, an index or a quoted key, and returns it with the text after the bracket.
fn in_brackets(text: &str) -> Option<(Step, &str)> {
    let mut quoted = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let (step, end) = match quoted.next() {
        Some(Ok(key)) => (Step::Key(key.into()), quoted.byte_offset()),
        _ => {
            let end = text.find(']')?;
            (Step::Index(text[..end].parse().ok()?), end)
        }
    };
    Some((step, text.get(end..)?.strip_prefix(']')?))
}
