//! The `format` of a text in a schema, with an example of each. The types that read such texts report a mistake in words of their
//! own, such as "input contains invalid characters", which do not say what a text looks like.

use serde_json::Value;

use super::path::{Path, Step};
use super::problem::Problem;
use super::read::ReadError;
use super::schema_node::SchemaNode;

/// The formats of JSON Schema for texts, and those of schemars, with the name that a message uses and an example.
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

/// How the messages of serde begin that say what is expected, or whose mistake is not in a text.
const COMPLETE: [&str; 6] = [
    "missing field",
    "unknown field",
    "unknown variant",
    "duplicate field",
    "invalid type",
    "invalid length",
];

/// Adds the form that `schema` names for the wrong value, with an example. The schema is needed only for an error that does not
/// say what is expected.
#[cold]
pub(crate) fn with_format(error: ReadError, schema: impl FnOnce() -> Value) -> ReadError {
    match error {
        ReadError::Data(problem) if problem.help.is_none() && !is_complete(&problem) => {
            let help = expected_form(&problem.path, &schema());
            ReadError::Data(Problem { help, ..problem })
        }
        error => error,
    }
}

fn is_complete(problem: &Problem) -> bool {
    let begins = |words: &&str| problem.message.starts_with(*words);
    COMPLETE.iter().any(begins)
}

/// The form of the value at `path`, if its schema has a `format`.
fn expected_form(path: &str, schema: &Value) -> Option<String> {
    let node = SchemaNode::root(schema).at(&steps(path)?)?.resolved();
    let format = format_of(node).or_else(|| node.alternatives().find_map(format_of))?;
    let (_, name, example) = FORMATS.iter().find(|(known, ..)| *known == format)?;
    Some(format!("expected {name}, such as `{example}`"))
}

fn format_of(node: SchemaNode<'_>) -> Option<&str> {
    node.resolved().keyword("format")?.as_str()
}

/// Reads a path as [`below`](super::path::below) writes it.
pub(super) fn steps(path: &str) -> Option<Path> {
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

/// The step before `]`, and the text after it: an index, or a quoted key.
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
