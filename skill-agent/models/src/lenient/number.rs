//! Numbers and booleans that were written as text.

use skill_core::serde_json::{Number, from_str};

/// The JSON number that a text is, as it was written. The text of an integer has no fraction.
pub(super) fn number(text: &str, is_integer: bool) -> Option<&str> {
    let number: Number = from_str(text).ok()?;
    let is_whole = || !number.is_f64() || number.as_f64().is_some_and(|float| float.fract() == 0.0);
    (!is_integer || is_whole()).then_some(text)
}

/// The boolean that a text is, in the spelling of JSON or Python.
pub(super) fn boolean(text: &str) -> Option<&'static str> {
    match text {
        "true" | "True" => Some("true"),
        "false" | "False" => Some("false"),
        _ => None,
    }
}
