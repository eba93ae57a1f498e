//! Hides quoted values in messages.
//!
//! Most messages about values come from serde and quote the value:
//! ``invalid type: string "abc", expected u32``. A message from the type's own `Deserialize` may quote the value anywhere.

use crate::secrets::MASK;
use serde_json::Value;

/// The text that replaces a state's value in a message.
pub(crate) const HIDDEN: &str = "…";

/// The words before a value that serde quotes.
const QUOTED: [&str; 5] = [
    "boolean",
    "integer",
    "floating point",
    "character",
    "string",
];

/// The words for values that serde does not quote.
const UNQUOTED: [&str; 12] = [
    "byte array",
    "unit value",
    "Option value",
    "newtype struct",
    "sequence",
    "map",
    "enum",
    "unit variant",
    "newtype variant",
    "tuple variant",
    "struct variant",
    "null",
];

/// Returns a serde message with `mark` in place of the quoted value, or `None` if the message has a different form.
pub(crate) fn unquoted(message: &str, mark: &str) -> Option<String> {
    for start in ["invalid type: ", "invalid value: "] {
        // The value comes first and may contain anything, so the last `expected` is serde's own.
        let Some((found, expected)) = message
            .strip_prefix(start)
            .and_then(|rest| rest.rsplit_once(", expected "))
        else {
            continue;
        };
        if UNQUOTED.contains(&found) {
            return Some(message.to_owned());
        }
        let kind = QUOTED.iter().find(|kind| found.starts_with(**kind));
        let kind = kind.map_or_else(String::new, |kind| format!("{kind} "));
        return Some(format!("{start}{kind}{mark}, expected {expected}"));
    }
    if let Some(rest) = message.strip_prefix("unknown variant `") {
        let (_, expected) = rest.rsplit_once("`, ")?;
        let expected = match rest.rsplit_once("`, expected ") {
            Some((_, names)) => format!("expected {names}"),
            None => expected.to_owned(),
        };
        return Some(format!("unknown variant {mark}, {expected}"));
    }
    let (_, kind) = message.rsplit_once(" is out of range, expected ")?;
    Some(format!("{mark} is out of range, expected {kind}"))
}

/// Returns whether a serde message is about field names or the number of items, and therefore quotes no value.
fn is_structural(message: &str) -> bool {
    let starts = ["missing field `", "unknown field `", "duplicate field `"];
    starts.iter().any(|start| message.starts_with(start)) || message.starts_with("invalid length ")
}

/// Returns a message about `secrets` with the secrets masked.
pub(crate) fn without_secrets(message: &str, secrets: &[&Value]) -> String {
    if let Some(message) = unquoted(message, MASK) {
        return message;
    }
    // The keys of a secret map are a part of the secret.
    if let Some(rest) = message.strip_prefix("unknown field `")
        && let Some((_, expected)) = rest.split_once("`, ")
    {
        return format!("unknown field {MASK}, {expected}");
    }
    hide_secrets(message, secrets)
}

/// Returns a message about a state's `values` with the values hidden.
pub(crate) fn without_values(message: &str, values: &[&Value]) -> String {
    if scalars_in(message, values).is_empty() {
        return message.to_owned();
    }
    match unquoted(message, HIDDEN) {
        Some(message) => message,
        None if is_structural(message) => message.to_owned(),
        None => hide_values(message, values),
    }
}

/// Returns `text` with `secrets` masked. If a secret is inside a longer word, it cannot be cut out, so the whole text is
/// replaced.
pub fn hide_secrets(text: &str, secrets: &[&Value]) -> String {
    // A very short secret occurs in some word by chance and reveals nothing there.
    const SHORTEST: usize = 4;
    let text = hide(text, scalars_in(text, secrets), MASK);
    let mut left = scalars_in(&text, secrets).into_iter();
    if left.any(|secret| secret.len() >= SHORTEST && !MASK.contains(&secret)) {
        return format!("the value {MASK} is refused");
    }
    text
}

/// Returns `text` with whole-word occurrences of the scalars in `values` hidden.
pub fn hide_values(text: &str, values: &[&Value]) -> String {
    let mut scalars = scalars_in(text, values);
    scalars.retain(|scalar| !matches!(&scalar[..], "true" | "false" | "null"));
    hide(text, scalars, HIDDEN)
}

/// Returns the scalars in `values` that occur in `text`.
fn scalars_in(text: &str, values: &[&Value]) -> Vec<String> {
    let mut scalars = Vec::new();
    for value in values {
        for_each_scalar(value, &mut |scalar| {
            if !scalar.is_empty() && text.contains(scalar) {
                scalars.push(scalar.to_owned());
            }
        });
    }
    scalars
}

/// Replaces each of `scalars` with `mark` where it occurs as a whole word.
fn hide(text: &str, mut scalars: Vec<String>, mark: &str) -> String {
    // a long value may contain a short one
    scalars.sort_by_key(|scalar| std::cmp::Reverse(scalar.len()));
    let mut text = text.to_owned();
    for scalar in scalars {
        text = replace_word(&text, &scalar, mark);
    }
    text
}

fn replace_word(text: &str, word: &str, mark: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut from = 0;
    for (start, _) in text.match_indices(word) {
        let end = start + word.len();
        let joins = |before: Option<char>, after: Option<char>| {
            let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            is_part(before) && is_part(after)
        };
        let (first, last) = (word.chars().next(), word.chars().next_back());
        if joins(text[..start].chars().next_back(), first)
            || joins(last, text[end..].chars().next())
        {
            continue;
        }
        replaced.push_str(&text[from..start]);
        replaced.push_str(mark);
        from = end;
    }
    replaced + &text[from..]
}

/// Calls `visit` with each scalar as a string, and with each string as `Debug` writes it.
fn for_each_scalar(value: &Value, visit: &mut dyn FnMut(&str)) {
    match value {
        Value::Null => visit("null"),
        Value::Bool(truth) => visit(if *truth { "true" } else { "false" }),
        Value::Number(number) => visit(&number.to_string()),
        Value::String(text) => {
            visit(text);
            let escaped = text.escape_debug().to_string();
            if escaped != *text {
                visit(&escaped);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| for_each_scalar(item, visit)),
        Value::Object(entries) => entries
            .values()
            .for_each(|value| for_each_scalar(value, visit)),
    }
}
