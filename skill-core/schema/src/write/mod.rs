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

/// The error returned when a value cannot be written as JSON.
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
    /// A float is NaN or infinite, which JSON cannot represent.
    #[error("{} is {value}, which JSON cannot hold", name(.path))]
    NotFinite {
        /// The path of the float. Empty if the value itself is the float. If the float is a map key, this is the map's path.
        path: String,
        /// `NaN`, `inf` or `-inf`.
        value: &'static str,
    },
    /// A map has keys that are not strings in JSON, such as tuples.
    #[error("{} has {NOT_A_KEY}", name(.path))]
    NotAKey {
        /// The path of the map. Empty if the value itself is the map.
        path: String,
    },
    /// An error from the type's `Serialize`, or from serde_json.
    #[error("{0}")]
    Other(String),
}

impl WriteError {
    /// Adds `key`, the value's key in its parent, to the beginning of the path.
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

/// The end of messages about map keys.
pub const NOT_A_KEY: &str = "a key that JSON cannot hold: a key is a `String`, a number, a `bool`, a `char` or an enum without content; a `Vec` of pairs holds any keys";

fn name(path: &str) -> String {
    match path {
        "" => "the value".to_owned(),
        path => format!("`{path}`"),
    }
}

/// Writes `value` as JSON text. NaN and infinity are errors, and the error contains their path.
///
/// # Errors
/// Fails for the first such number, or if `value` or serde_json reports an error.
#[inline]
pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<String, WriteError> {
    // serde_json writes NaN and infinity as `null`, so text without `null` needs no check
    match serde_json::to_string(value) {
        Ok(text) if !mentions_null(&text) => Ok(text),
        written => resolve(value, written),
    }
}

/// Like [`write()`], but for types without floats and without user-defined serialization: in their output, each `null` is a real
/// `null`.
///
/// # Errors
/// Returns serde_json's error. No such error is known for these types.
#[inline]
pub fn write_json_safe<T: Serialize + ?Sized>(value: &T) -> Result<String, WriteError> {
    serde_json::to_string(value).map_err(|error| WriteError::Other(message_of(&error)))
}

/// Converts `value` to the JSON value that its JSON text represents. NaN and infinity are errors, and the error contains their
/// path.
///
/// # Errors
/// Returns the same errors as [`write()`].
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

/// Returns whether `value` contains a number with a fraction.
fn has_fraction(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|float| float.fract() != 0.0),
        Value::Array(items) => items.iter().any(has_fraction),
        Value::Object(entries) => entries.values().any(has_fraction),
        _ => false,
    }
}

/// Replaces each `f32` in a value with the number in its text.
fn replace_singles(json: &mut Value, singles: Vec<(Path, f64)>) {
    for (path, float) in singles {
        // The recorded path may be the map's, for a float in a key, and `Serialize` may write different parts each time.
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

/// Returns whether `text` contains `null`, as a value or in a string.
#[inline]
fn mentions_null(text: &str) -> bool {
    // a number cannot contain `null`
    let is_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    !is_number && has_byte(text.as_bytes(), b'n') && text.contains("null")
}

/// Returns the error for the float that was written as `null`. If there is no such float, returns the written JSON.
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

/// Returns the path of a map whose key is not a string, or the message of a different error.
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
