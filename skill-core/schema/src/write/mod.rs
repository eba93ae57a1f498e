//! Writes typed Rust as JSON, and refuses the floats that serde_json would write as `null`.

pub(crate) mod finite;

use serde::Serialize;
use serde_json::{Error, Value};

use crate::read::log::message_of;
use crate::value::at_path::{at, put};
use crate::value::depth::{has_null, has_wide_integer};
use crate::value::path::{Path, below, prefixed};
use crate::value::search::has_byte;
use crate::write::finite::{map_without_texts, not_finite, singles};

/// Why a value was not written as JSON.
///
/// ```
/// use skill_core::WriteError;
///
/// let error = WriteError::NotFinite { path: "stats.mean".into(), value: "NaN" };
/// assert_eq!(error.to_string(), "`stats.mean` is NaN, which JSON cannot hold");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A float is NaN or infinite, which JSON cannot hold.
    #[error("{} is {value}, which JSON cannot hold", name(.path))]
    NotFinite {
        /// Its path; empty if it is the value itself, the path of the map if it is a key.
        path: String,
        /// `NaN`, `inf` or `-inf`.
        value: &'static str,
    },
    /// A map has keys that are no text in JSON, such as tuples.
    #[error("{} has {NOT_A_KEY}", name(.path))]
    NotAKey {
        /// The path of the map; empty if it is the value itself.
        path: String,
    },
    /// A reason of the type, or of JSON.
    #[error("{0}")]
    Other(String),
}

impl WriteError {
    /// The error of the value with this key, in the value that holds it.
    #[doc(hidden)]
    pub fn below(self, key: &str) -> Self {
        match self {
            Self::NotFinite { path, value } => Self::NotFinite {
                path: prefixed(key, &path),
                value,
            },
            Self::NotAKey { path } => Self::NotAKey {
                path: prefixed(key, &path),
            },
            Self::Other(message) => Self::Other(format!("`{key}`: {message}")),
        }
    }
}

/// The end of the messages for maps.
pub const NOT_A_KEY: &str = "a key that JSON cannot hold: a key is a `String`, a number, a `bool`, a `char` or an enum without content; a `Vec` of pairs holds any keys";

fn name(path: &str) -> String {
    match path {
        "" => "the value".to_owned(),
        path => format!("`{path}`"),
    }
}

/// Writes `value` as JSON text; NaN and the infinities are an error with their path.
///
/// serde_json writes `null` for them, so a text without `null` needs no check.
///
/// # Errors
/// The first such number, or the reason of `value` or of JSON.
#[inline]
pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<String, WriteError> {
    match serde_json::to_string(value) {
        Ok(text) if !mentions_null(&text) => Ok(text),
        written => resolve(value, written),
    }
}

/// Like [`write()`], for types without floats and without serializing code of the user: a `null` is always one.
///
/// # Errors
/// Those of serde_json; none is known for such types.
#[inline]
pub fn write_json_safe<T: Serialize + ?Sized>(value: &T) -> Result<String, WriteError> {
    serde_json::to_string(value).map_err(|error| WriteError::Other(message_of(&error)))
}

/// Makes a JSON value of `value`, the one that its text has; NaN and the infinities are an error with their path.
///
/// # Errors
/// As [`write()`].
pub fn write_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, WriteError> {
    let mut json = match serde_json::to_value(value) {
        Ok(json) if !has_null(&json) => json,
        written => resolve(value, written)?,
    };
    if has_fraction(&json) {
        replace_singles(&mut json, singles(value));
    }
    Ok(json)
}

/// Whether a value has a number that is no integer.
fn has_fraction(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|float| float.fract() != 0.0),
        Value::Array(items) => items.iter().any(has_fraction),
        Value::Object(entries) => entries.values().any(has_fraction),
        _ => false,
    }
}

/// Gives the `f32`s of a value the numbers that their texts have.
fn replace_singles(json: &mut Value, singles: Vec<(Path, f64)>) {
    for (path, float) in singles {
        // A key of a map has the path of the map, and `Serialize` may write other parts each time.
        let is_the_same = |number: f64| number as f32 == float as f32;
        if at(json, &path)
            .and_then(Value::as_f64)
            .is_some_and(is_the_same)
        {
            put(json, &path, float.into());
        }
    }
}

/// Converts an output from JSON text to a value.
///
/// # Errors
/// Fails for integers of more than 64 bits and for more than 128 levels of nesting.
pub fn as_value(text: &str) -> Result<Value, WriteError> {
    if has_wide_integer(text) {
        let message = "an integer has more than 64 bits, which a JSON value cannot hold";
        return Err(WriteError::Other(message.to_owned()));
    }
    serde_json::from_str(text).map_err(|error| WriteError::Other(error.to_string()))
}

/// Whether `text` contains `null`, as a value or in a string.
#[inline]
fn mentions_null(text: &str) -> bool {
    // a number has none
    let is_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    !is_number && has_byte(text.as_bytes(), b'n') && text.contains("null")
}

/// Finds the float that a `null` was written for, or returns what was written.
#[cold]
#[inline(never)]
fn resolve<T: Serialize + ?Sized, R>(
    value: &T,
    written: Result<R, Error>,
) -> Result<R, WriteError> {
    match not_finite(value, 1).pop() {
        Some((path, float)) => Err(WriteError::NotFinite {
            path: below("", &path),
            value: spelling(float),
        }),
        None => written.map_err(|error| failure(value, &error)),
    }
}

/// The path of the map whose key is no text, or the message of another error.
fn failure<T: Serialize + ?Sized>(value: &T, error: &Error) -> WriteError {
    let message = message_of(error);
    let map = (message == "key must be a string").then(|| map_without_texts(value));
    match map.flatten() {
        Some(path) => WriteError::NotAKey {
            path: below("", &path),
        },
        None => WriteError::Other(message),
    }
}

fn spelling(float: f64) -> &'static str {
    if float.is_nan() {
        "NaN"
    } else if float > 0.0 {
        "inf"
    } else {
        "-inf"
    }
}
