//! Parses numbers and booleans that were written as strings.

use skill_core::serde_json::{Number, from_str};

/// Returns the string if it is a JSON number, without a fractional part where an integer is needed.
pub(super) fn number(text: &str, is_integer: bool) -> Option<&str> {
    let number: Number = from_str(text).ok()?;
    let is_whole = || !number.is_f64() || number.as_f64().is_some_and(|float| float.fract() == 0.0);
    (!is_integer || is_whole()).then_some(text)
}

/// Parses a boolean as written in JSON or Python.
pub(super) fn boolean(text: &str) -> Option<&'static str> {
    match text {
        "true" | "True" => Some("true"),
        "false" | "False" => Some("false"),
        _ => None,
    }
}
