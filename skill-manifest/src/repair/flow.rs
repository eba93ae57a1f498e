//! Splits `[a, b]` and `{a: b}` into items, even if an item is not valid YAML.

use super::lines::trimmed;
use std::ops::Range;

/// A value that begins with a bracket.
pub(super) enum Flow {
    /// The items between the brackets, without surrounding whitespace.
    Items(Vec<Range<usize>>),
    /// Text that continues after the closing bracket.
    Text,
    /// The end of the value is unclear, or the value has comments.
    Unclear,
}

/// Splits a value that begins with a bracket.
pub(super) fn split(source: &str, value: Range<usize>) -> Flow {
    let text = &source[value.clone()];
    let mut items = Vec::new();
    let mut start = value.start + 1;
    // the expected closing brackets
    let mut due = Vec::new();
    let mut chars = text.char_indices();
    while let Some((offset, c)) = chars.next() {
        let at = value.start + offset;
        match c {
            '[' => due.push(']'),
            '{' => due.push('}'),
            ']' | '}' if due.pop() != Some(c) => return Flow::Unclear,
            '"' | '\'' if at > value.start && source[start..at].trim().is_empty() => {
                let mut is_escape = false;
                let is_end = |(_, next): (usize, char)| {
                    let is_escaped = std::mem::replace(&mut is_escape, false);
                    is_escape = c == '"' && next == '\\' && !is_escaped;
                    next == c && !is_escaped
                };
                if !chars.any(is_end) {
                    return Flow::Unclear;
                }
            }
            '#' if source[..at].ends_with(char::is_whitespace) => return Flow::Unclear,
            _ => {}
        }
        if due.is_empty() || (c == ',' && due.len() == 1) {
            items.push(trimmed(source, start..at));
            start = at + 1;
        }
        if due.is_empty() {
            items.retain(|item| !item.is_empty());
            return if start == value.end {
                Flow::Items(items)
            } else {
                Flow::Text
            };
        }
    }
    Flow::Unclear
}
