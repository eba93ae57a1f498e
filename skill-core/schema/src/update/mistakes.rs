//! Finds all mistakes in a call's arguments or an answer, although serde stops at the first.

use crate::check::constraints::parts;
use crate::problem::{Problem, did_you_mean};
use crate::read::ReadError;
use crate::read::cursor::Cursor;
use crate::schema::formats::{advise, steps};
use crate::schema::node::SchemaNode;
use crate::update::input::{Attempt, Document, Update, UpdateInput};
use crate::update::repair::{ENOUGH, field_in, resolve};
use crate::value::depth::has_wide_integer;
use crate::value::path::{Path, Step};
use serde::de::{DeserializeOwned, Error};
use serde_json::Value;
use std::borrow::Cow;

/// The JSON that could not be read.
#[derive(Clone, Copy, Debug)]
pub enum Sent<'a> {
    Text(&'a str),
    Value(&'a Value),
}

/// The maximum number of parts that are read to find more mistakes. The sender controls the number of mistakes, and each one
/// costs one reading.
const MOST_PARTS: usize = 1 << 18;

/// Extends a read error to all mistakes in a `T`, in the order in which the type finds them, with suggested fixes.
#[cold]
#[inline(never)]
pub fn with_all_mistakes<T: DeserializeOwned>(
    error: ReadError,
    sent: Sent<'_>,
    schema: &Value,
) -> ReadError {
    let mut attempt = |document: &Value, log: &crate::read::log::ReadLog<'_>| {
        T::deserialize(Cursor::new(document, log)).map(drop)
    };
    match error {
        ReadError::Data(first) => found(first, sent, schema, &mut attempt),
        other => other,
    }
}

fn found(first: Problem, sent: Sent<'_>, schema: &Value, attempt: &mut Attempt<'_>) -> ReadError {
    let document = match sent {
        // a value would lose digits, and would therefore have different mistakes
        Sent::Text(text) if has_wide_integer(text) => None,
        Sent::Text(text) if text.trim_ascii().is_empty() => {
            Some(Cow::Owned(Value::Object(Default::default())))
        }
        Sent::Text(text) => serde_json::from_str(text).ok().map(Cow::Owned),
        Sent::Value(value) => Some(Cow::Borrowed(value)),
    };
    let document = document.as_deref();
    let mut problems =
        document.map_or_else(Vec::new, |document| mistakes(document, schema, attempt));
    // the first mistake in text may be one that its value does not have, such as a repeated key
    if !problems.contains(&first) {
        problems.insert(0, first);
    }
    finish(&mut problems, document, schema);
    let others = problems.split_off(1);
    let first = problems.swap_remove(0);
    ReadError::of_problems(first, others)
}

/// Removes problems that another problem already explains, and adds suggested fixes. `sent` is the document, if it could be read
/// as a value.
pub fn finish(problems: &mut Vec<Problem>, sent: Option<&Value>, schema: &Value) {
    let misspelled: Vec<(Path, String)> = problems.iter().filter_map(misspelled).collect();
    problems.retain(|problem| {
        let Some(Step::Key(name)) = field_in(&problem.message, "missing field `") else {
            return true;
        };
        let is_meant = |(object, help): &(Path, String)| {
            steps(&problem.path).as_ref() == Some(object) && *help == did_you_mean(&name)
        };
        !misspelled.iter().any(is_meant)
    });
    for problem in problems {
        advise(problem, sent, schema);
    }
}

/// Returns the object with a probably misspelled key, and the suggestion for it.
fn misspelled(problem: &Problem) -> Option<(Path, String)> {
    let help = problem
        .help
        .clone()
        .filter(|_| problem.is_unknown_field())?;
    let mut path = steps(&problem.path)?;
    path.pop();
    Some((path, help))
}

fn mistakes(document: &Value, schema: &Value, attempt: &mut Attempt<'_>) -> Vec<Problem> {
    let input = UpdateInput {
        base: &|| Err(Error::custom("there is no value before")),
        schema: &|| Cow::Owned(Value::Null),
        rewritten: &|| Value::Null,
        document,
        update: Update::Merge,
        at: "",
        is_struct: false,
        secrets: &[],
        most_readings: (MOST_PARTS / parts(document)).clamp(1, ENOUGH),
        is_call: true,
    };
    let mut problems = Vec::new();
    let (document, node) = (document.clone().into(), SchemaNode::root(schema));
    let _: Document = resolve(&input, document, node, attempt, &mut problems).document;
    problems
}
