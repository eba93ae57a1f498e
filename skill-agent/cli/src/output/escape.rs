//! Escapes untrusted text for a terminal: invisible characters, direction marks and control characters.

use skill_agent_documents::__private::{breaks_line, is_invisible_after, is_visible};
use std::borrow::Cow;

/// Escapes every invisible character and line break.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_visible) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push_escaped(&mut escaped, c);
    }
    Cow::Owned(escaped)
}

/// Appends a character. Escapes it if it is invisible or breaks the line, except for the invisible parts of an emoji.
pub(crate) fn push_escaped(text: &mut String, c: char) {
    if breaks_line(c) || is_invisible_after(text.chars().next_back(), c) {
        // such as `\n` or `\u{202e}`
        text.extend(c.escape_default());
    } else {
        text.push(c);
    }
}

/// Escapes invisible characters in JSON text, without changing the value that the text encodes.
pub(crate) fn escape_json(text: String) -> String {
    if text.chars().all(is_visible) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_visible(c) {
            escaped.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_escaped() {
        assert_eq!(escape("字 é"), "字 é");
        assert_eq!(escape("a\u{1b}[31m\n"), "a\\u{1b}[31m\\n");
        assert_eq!(
            escape("\u{202e}x\u{200b}\u{e0041}"),
            "\\u{202e}x\\u{200b}\\u{e0041}"
        );
        assert_eq!(
            escape("a\u{3164}\u{2028}\u{fff9}\u{34f}"),
            "a\\u{3164}\\u{2028}\\u{fff9}\\u{34f}"
        );
        assert_eq!(
            escape("\u{2764}\u{fe0f} a\u{fe0f}"),
            "\u{2764}\u{fe0f} a\\u{fe0f}"
        );
    }

    #[test]
    fn escaped_json_encodes_the_same_value() {
        let text = "a\u{9b}\u{202e}\u{e0041}\"\n字";
        let line = escape_json(serde_json::to_string(text).unwrap());
        assert_eq!(line, "\"a\\u009b\\u202e\\udb40\\udc41\\\"\\n字\"");
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
    }
}
