//! Syntax mistakes in JSON. For frequent mistakes, serde_json says only what it expected, so these mistakes have their own
//! wording here.

use crate::read::log::message_of;
use serde_json::Error;

/// Returns the message for a syntax error in `text`.
#[cold]
pub(crate) fn mistake(text: &str, error: &Error) -> String {
    let message = message_of(error);
    let place = place(text, error);
    let at = text.as_bytes().get(place);
    let is_after_comma = || {
        text.get(..place)
            .is_some_and(|text| text.trim_end().ends_with(','))
    };
    let words = match (&*message, at) {
        ("key must be a string" | "expected value", Some(b'\'')) => {
            "a text is in double quotes, and this one is in single quotes"
        }
        ("key must be a string", Some(b'}')) => "trailing comma",
        ("expected value", Some(b']')) if is_after_comma() => "trailing comma",
        ("key must be a string", _) => "a key is a text in double quotes",
        _ => return message,
    };
    words.to_owned()
}

/// Returns the byte index of an error.
fn place(text: &str, error: &Error) -> usize {
    let lines = text.split_inclusive('\n').map(str::len);
    let before: usize = lines.take(error.line().saturating_sub(1)).sum();
    before + error.column().saturating_sub(1)
}
