//! Text of strangers on a terminal: what is not seen, turns the direction of writing or commands the terminal is spelled out.

use skill_agent::manifest::__private;
use std::borrow::Cow;

/// A text in which every hidden character and line end is written as its escape.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push(&mut shown, c);
    }
    Cow::Owned(shown)
}

/// Adds a character, or its escape.
pub(crate) fn push(shown: &mut String, c: char) {
    match is_hidden(c) {
        // `\n`, `\u{202e}`
        true if c.is_ascii() => shown.extend(c.escape_default()),
        true => shown.extend(c.escape_unicode()),
        false => shown.push(c),
    }
}

/// JSON that means the same, in which hidden characters are escapes of JSON.
pub(crate) fn json(text: String) -> String {
    if !text.chars().any(is_hidden) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// What documents are warned of, and what ends or fills a line.
fn is_hidden(c: char) -> bool {
    match c {
        ' '..='~' => false,
        '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => true,
        '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}' => true,
        c => __private::is_hidden(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_spelled_out() {
        assert_eq!(shown("字 é"), "字 é");
        assert_eq!(shown("a\u{1b}[31m\n"), "a\\u{1b}[31m\\n");
        assert_eq!(
            shown("\u{202e}x\u{200b}\u{e0041}"),
            "\\u{202e}x\\u{200b}\\u{e0041}"
        );
    }

    #[test]
    fn escaped_json_means_the_same() {
        let text = "a\u{9b}\u{202e}\u{e0041}\"\n字";
        let line = json(serde_json::to_string(text).unwrap());
        assert_eq!(line, "\"a\\u009b\\u202e\\udb40\\udc41\\\"\\n字\"");
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
    }
}
