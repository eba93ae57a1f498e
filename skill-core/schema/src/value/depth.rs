//! Measures the depth of nested JSON without recursion.
//!
//! Readers, `Clone`, `PartialEq` and `Drop` of a [`Value`] all recurse once per level, and the caller controls the number of
//! levels: 100,000 levels fit into 200 KB of text, but overflow any stack.

use serde_json::Value;

/// The depth from which on nested JSON is refused. serde_json has the same limit.
pub const MAX_DEPTH: usize = 128;

/// Returns whether the arrays and objects in `text` reach [`MAX_DEPTH`].
pub(crate) fn text_is_too_deep(text: &str) -> bool {
    let bytes = text.as_bytes();
    // This decides nearly every case: short text cannot have that many brackets, and counting opening brackets takes a few
    // nanoseconds with vector instructions.
    if bytes.len() < MAX_DEPTH || count_opening(bytes) < MAX_DEPTH {
        return false;
    }
    let (mut depth, mut rest) = (0usize, bytes);
    let interesting = |byte: &u8| matches!(byte, b'"' | b'[' | b'{' | b']' | b'}');
    while let Some(at) = rest.iter().position(interesting) {
        let (byte, after) = (rest[at], &rest[at + 1..]);
        rest = match byte {
            b'"' => behind_string(after),
            _ => after,
        };
        match byte {
            b'"' => {}
            b'[' | b'{' => depth += 1,
            _ => depth = depth.saturating_sub(1),
        }
        if depth >= MAX_DEPTH {
            return true;
        }
    }
    false
}

/// Returns the bytes after the end of a string. `bytes` begin inside the string, after the opening quote.
pub fn behind_string(mut bytes: &[u8]) -> &[u8] {
    while let Some(at) = bytes.iter().position(|byte| matches!(byte, b'"' | b'\\')) {
        match bytes[at] {
            b'"' => return &bytes[at + 1..],
            _ => bytes = bytes.get(at + 2..).unwrap_or_default(),
        }
    }
    &[]
}

/// Returns whether `text` has an integer of more than 64 bits.
pub(crate) fn has_wide_integer(text: &str) -> bool {
    let (mut magnitude, mut limit, mut float) = (0u128, u128::from(u64::MAX), false);
    outside_strings(text).any(|byte| {
        match byte {
            b'0'..=b'9' => {
                let digit = u128::from(byte - b'0');
                magnitude = magnitude.saturating_mul(10).saturating_add(digit);
            }
            b'-' => limit = 1 << 63,
            b'+' => {}
            b'.' | b'e' | b'E' => float = true,
            _ if magnitude > limit && !float => return true,
            _ => (magnitude, limit, float) = (0, u64::MAX.into(), false),
        }
        false
    }) || (magnitude > limit && !float)
}

/// Returns the bytes of `text` outside strings.
pub(crate) fn outside_strings(text: &str) -> impl Iterator<Item = u8> {
    let (mut in_string, mut escaped) = (false, false);
    text.bytes().filter(move |byte| {
        let inside = in_string;
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            _ => {}
        }
        !inside
    })
}

fn count_opening(bytes: &[u8]) -> usize {
    // `[` and `{` differ in one bit. Sums that fit into a byte compile to vector instructions.
    let count =
        |chunk: &[u8]| -> u8 { chunk.iter().map(|byte| u8::from(byte | 0x20 == b'{')).sum() };
    bytes
        .chunks(255)
        .map(|chunk| usize::from(count(chunk)))
        .sum()
}

/// Returns whether the arrays and objects in `value` reach [`MAX_DEPTH`]. Recurses no deeper than that.
///
/// Dropping a deeper value still recurses.
pub fn value_is_too_deep(value: &Value) -> bool {
    reaches(value, MAX_DEPTH)
}

fn reaches(value: &Value, levels: usize) -> bool {
    let inner = |part| reaches(part, levels - 1);
    match value {
        Value::Array(items) => levels <= 1 || items.iter().any(inner),
        Value::Object(entries) => levels <= 1 || entries.values().any(inner),
        _ => false,
    }
}

/// Returns whether `value` contains `null` anywhere. Does not recurse, so `value` may be nested to any depth.
pub(crate) fn has_null(value: &Value) -> bool {
    let mut todo = Vec::new();
    let mut next = Some(value);
    while let Some(value) = next {
        match value {
            Value::Null => return true,
            Value::Array(items) => todo.extend(items),
            Value::Object(entries) => todo.extend(entries.values()),
            _ => {}
        }
        next = todo.pop();
    }
    false
}
