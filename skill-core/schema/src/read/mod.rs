//! Reads JSON as typed Rust and reports mistakes with their paths.

pub(crate) mod access;
pub(crate) mod cursor;
pub(crate) mod log;
pub(crate) mod repeated_keys;
pub(crate) mod syntax;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Error, Value};

use crate::problem::{Problem, StateError};
use crate::read::cursor::Cursor;
use crate::read::log::{ReadLog, message_of};
use crate::read::repeated_keys::{inspect, lost_entries};
use crate::read::syntax::mistake;
use crate::value::depth::{MAX_DEPTH, has_wide_integer, text_is_too_deep, value_is_too_deep};
use crate::value::search::has_byte;

/// The maximum size of one call's arguments: 1 MiB.
pub const MAX_ARGUMENT_BYTES: usize = 1 << 20;

/// The error returned when JSON cannot be read.
///
/// ```
/// use skill_core::{Problem, ReadError};
///
/// let error = ReadError::TooLarge { bytes: 2_000_000, max: 1_048_576 };
/// assert_eq!(error.to_string(), "the JSON has 2000000 bytes; at most 1048576 are read");
/// let error = ReadError::Data(Problem::new("window", "invalid type: null, expected a number"));
/// assert_eq!(error.to_string(), "`window`: invalid type: null, expected a number");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The JSON text is too long.
    #[error("the JSON has {bytes} bytes; at most {max} are read")]
    TooLarge {
        /// The length of the text in bytes.
        bytes: usize,
        /// The maximum length in bytes.
        max: usize,
    },
    /// Arrays and objects are nested too deeply.
    #[error("the JSON is nested {max} levels deep or deeper")]
    TooDeep {
        /// The smallest depth that is refused.
        max: usize,
    },
    /// The text is not JSON.
    #[error("not JSON: {message} at line {line} column {column}")]
    Syntax {
        /// The line of the mistake, starting at 1.
        line: usize,
        /// The column of the mistake in bytes, starting at 1.
        column: usize,
        /// The parser's message.
        message: String,
    },
    /// The text is JSON, but does not have the expected form.
    #[error("{0}")]
    Data(Problem),
    /// The text is JSON, but several parts do not have the expected form.
    #[error("{0}")]
    Several(StateError),
}

impl ReadError {
    /// Returns the parts that do not have the expected form, with their paths. The list is empty if the text is not JSON or
    /// exceeds a limit.
    pub fn problems(&self) -> &[Problem] {
        match self {
            Self::Data(problem) => std::slice::from_ref(problem),
            Self::Several(problems) => problems.problems(),
            Self::TooLarge { .. } | Self::TooDeep { .. } | Self::Syntax { .. } => &[],
        }
    }

    /// Creates the error from the first problem and the others.
    pub(crate) fn of_problems(first: Problem, others: Vec<Problem>) -> Self {
        if others.is_empty() {
            return Self::Data(first);
        }
        Self::Several(StateError::of(first, others))
    }
}

/// An attempt to read a document as some type. The type is not in the signature, so the caller is compiled only once.
type Attempt<'a> = dyn FnMut(&Value, &ReadLog<'_>) -> Result<(), Error> + 'a;

impl From<ReadError> for StateError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Data(problem) => problem.into(),
            ReadError::Several(problems) => problems,
            other => Problem::new("", other.to_string()).into(),
        }
    }
}

/// Reads JSON text as a `T`.
///
/// Rejects text longer than [`MAX_ARGUMENT_BYTES`], [`MAX_DEPTH`] or more levels of nesting, and trailing data. Valid text is
/// read as fast as with serde_json. Invalid text is read again as a value, for two reasons: to find the path of the error, and
/// because `2.0` is an integer in JSON Schema but not in serde_json. Empty text counts as `{}`, since some models send nothing
/// instead of empty arguments.
///
/// # Errors
/// Fails if the text is too long or too deeply nested. Otherwise returns the first syntax error, or the first value that does not
/// match `T`.
#[inline]
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, ReadError> {
    check(text, MAX_ARGUMENT_BYTES)?;
    let value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return read_again(text, &error),
    };
    // The argument struct itself refuses a repeated key, but a map inside it would keep the last value.
    if may_repeat_within(text) {
        no_repeated_keys(text)?;
    }
    Ok(value)
}

/// Reads a JSON value as a `T`, with the same result as [`read`] on its text.
///
/// Does not clone the value, and checks its depth before any recursion. A value that is nested 100,000 levels deep is refused
/// here, but dropping it still recurses, in serde_json.
///
/// # Errors
/// Fails if the value is too deeply nested, or if a part does not match `T`. The error describes the first such part.
pub fn read_value<T: DeserializeOwned>(value: &Value) -> Result<T, ReadError> {
    if value_is_too_deep(value) {
        return Err(ReadError::TooDeep { max: MAX_DEPTH });
    }
    let log = ReadLog::default();
    T::deserialize(Cursor::new(value, &log)).map_err(|error| data(&log, &error))
}

/// Reads JSON text of at most `max_bytes` as a value, and refuses repeated keys.
///
/// # Errors
/// Fails if the text is too long, too deeply nested or not JSON, or if it has a repeated key or a number that no float can
/// represent.
pub fn read_document(text: &str, max_bytes: usize) -> Result<Value, ReadError> {
    check(text, max_bytes)?;
    match serde_json::from_str(text) {
        Ok(value) if !lost_entries(text, &value) => Ok(value),
        read => explain_document(text, read),
    }
}

/// Returns whether an object inside the outermost value may repeat a key. The check is quick, and may return `true` although no
/// key is repeated.
#[inline]
fn may_repeat_within(text: &str) -> bool {
    const IN_AN_ARRAY: usize = r#"[{"":0,"":0}]"#.len();
    const IN_AN_OBJECT: usize = r#"{"":{"":0,"":0}}"#.len();
    match text.as_bytes() {
        [b'{', within @ ..] => text.len() >= IN_AN_OBJECT && has_byte(within, b'{'),
        bytes => bytes.len() >= IN_AN_ARRAY && has_inner_brace(bytes),
    }
}

fn has_inner_brace(bytes: &[u8]) -> bool {
    let within = bytes.trim_ascii_start().get(1..);
    within.is_some_and(|within| has_byte(within, b'{'))
}

fn no_repeated_keys(text: &str) -> Result<(), ReadError> {
    let log = ReadLog::default();
    inspect(text, &log).map_err(|error| data(&log, &error))
}

#[inline]
fn check(text: &str, max: usize) -> Result<(), ReadError> {
    let bytes = text.len();
    if bytes > max {
        return Err(ReadError::TooLarge { bytes, max });
    }
    if text_is_too_deep(text) {
        return Err(ReadError::TooDeep { max: MAX_DEPTH });
    }
    Ok(())
}

/// Reads text again that serde_json has refused.
#[cold]
#[inline(never)]
fn read_again<T: DeserializeOwned>(text: &str, first: &Error) -> Result<T, ReadError> {
    let mut read = None;
    explain(text, first, &mut |document, log| {
        read = Some(T::deserialize(Cursor::new(document, log))?);
        Ok(())
    })?;
    read.ok_or_else(|| ReadError::Data(Problem::from_serde(String::new(), &message_of(first))))
}

#[cold]
fn data(log: &ReadLog<'_>, error: &Error) -> ReadError {
    ReadError::Data(log.failure(error).to_problem(""))
}

/// Returns the syntax error in `text`. The category of a serde_json error does not show whether the text has one: the category
/// describes the first mistake of any kind, and an object with two keys in place of an enum counts as a syntax error.
#[cold]
fn syntax_error(text: &str) -> Option<ReadError> {
    let error = serde_json::from_str::<IgnoredAny>(text).err()?;
    Some(ReadError::Syntax {
        line: error.line(),
        column: error.column(),
        message: mistake(text, &error),
    })
}

/// Explains why `text` could not be read as a JSON value without losing a key.
#[cold]
fn explain_document(text: &str, read: Result<Value, Error>) -> Result<Value, ReadError> {
    if let Some(error) = syntax_error(text) {
        return Err(error);
    }
    let log = ReadLog::default();
    let found = inspect(text, &log);
    found.map_err(|error| data(&log, &error))?;
    read.map_err(|error| data(&log, &error))
}

/// Reads text as a value, and then the value as the type. If that fails too, finds the path of `first`, the error from reading
/// `text` as the type.
///
/// # Errors
/// Fails with the mistake if the value has the same mistake, or if the value has lost a part of the text.
#[cold]
#[inline(never)]
fn explain(text: &str, first: &Error, attempt: &mut Attempt<'_>) -> Result<(), ReadError> {
    let text = if text.trim_ascii().is_empty() {
        "{}"
    } else {
        text
    };
    if let Some(error) = syntax_error(text) {
        return Err(error);
    }
    let message = message_of(first);
    let document = serde_json::from_str::<Value>(text).ok();
    let failure = document.as_ref().and_then(|document| {
        let log = ReadLog::default();
        let error = attempt(document, &log).err()?;
        Some(log.failure(&error))
    });
    // The value loses parts of the text: all but the last of repeated keys, and digits of integers above 64 bits. If the value
    // cannot be read either, this is the mistake in the text only if the messages are equal, or if the text has no repeated keys
    // and no such integers.
    if let Some(failure) = failure
        .as_ref()
        .filter(|failure| failure.message == message)
    {
        return Err(ReadError::Data(failure.to_problem("")));
    }
    read_document(text, usize::MAX)?;
    match failure {
        _ if has_wide_integer(text) => {
            let problem = Problem::from_serde(String::new(), &message);
            Err(ReadError::Data(problem))
        }
        Some(failure) => Err(ReadError::Data(failure.to_problem(""))),
        None => Ok(()),
    }
}
