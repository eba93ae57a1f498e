//! Escapes text from documents and callers for a prompt, a message or a screen.
//!
//! A description becomes part of a model's prompt, although the document's author chose its text. The text must not close the
//! element around it, and must not contain characters that are invisible to a person who reads the file.

use skill_core::process::full_text;
use skill_manifest::__private::{breaks_line, is_invisible, is_invisible_after};
use std::error::Error;

/// The maximum length of a name in a message, in characters.
const MAX_NAME_LENGTH: usize = 64;

/// The maximum length of a description in characters, as in the open standard.
pub(crate) const MAX_DESCRIPTION_LENGTH: usize = 1_024;

/// Escapes a description as the text of an XML element, removes invisible characters, and truncates it to `max` characters. Line
/// feeds are the only control characters that stay: a carriage return would let a terminal overwrite the line.
pub(crate) fn description(text: &str, max: usize) -> String {
    let mut before = None;
    let text = text.trim().replace("\r\n", "\n").replace('\r', "\n");
    let seen = text.chars().map(|c| if c == '\t' { ' ' } else { c });
    let seen = seen.filter(|&c| {
        let is_visible = !is_invisible_after(before, c);
        before = if is_visible { Some(c) } else { before };
        is_visible
    });
    xml(&bounded(seen, max))
}

/// Escapes an id or a path as the text of an XML element or attribute, on one line. The text is not truncated, because part of an
/// id would not identify anything.
pub fn attribute(text: &str) -> String {
    let line = text.replace(breaks_line, " ");
    xml(&shown(&line, usize::MAX))
}

/// Formats a name for a message: on one line, and truncated to 64 characters.
pub(crate) fn name(text: &str) -> String {
    line(text, MAX_NAME_LENGTH)
}

/// Formats typed text for a message: on one line, and truncated to 64 characters. Escapes invisible characters and blanks other
/// than spaces, so that a person sees the text as typed.
pub(crate) fn as_typed(text: &str) -> String {
    let mut typed = String::new();
    for (count, c) in text.chars().enumerate() {
        match c {
            _ if count == MAX_NAME_LENGTH => {
                typed.push('…');
                break;
            }
            ' ' => typed.push(c),
            c if c.is_whitespace() || is_invisible(c) => typed.extend(c.escape_default()),
            c => typed.push(c),
        }
    }
    typed
}

/// Formats an error and its causes on one line.
pub(crate) fn error(error: &dyn Error) -> String {
    line(&full_text(error), MAX_DESCRIPTION_LENGTH)
}

/// Formats text on one line for a person. Every run of blanks becomes one space, and invisible and control characters are
/// removed.
pub(crate) fn line(text: &str, max: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        let word: String = word.chars().filter(|&c| !is_invisible(c)).collect();
        if !line.is_empty() && !word.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    shown(&line, max)
}

/// Returns at most `max` visible characters, followed by `…` if the text is longer.
fn shown(text: &str, max: usize) -> String {
    bounded(text.chars().filter(|&c| !is_invisible(c)), max)
}

fn bounded(mut chars: impl Iterator<Item = char>, max: usize) -> String {
    let mut shown: String = chars.by_ref().take(max).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Replaces the five markup characters with entities, spelled as in Python's `html.escape`, which the open standard's tool uses.
fn xml(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\'' => xml.push_str("&#x27;"),
            c => xml.push(c),
        }
    }
    xml
}

/// Escapes an element's end tags in text inside the element. Also escapes look-alikes: end tags in a different case, or with
/// blanks or invisible characters in them. Other text is unchanged.
pub fn end_tags(text: &str, element: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        escaped.push_str(before);
        escaped.push_str(if is_end_tag(after, element) {
            "&lt;"
        } else {
            "<"
        });
        rest = after;
    }
    escaped.push_str(rest);
    escaped
}

/// Returns whether the text after a `<` starts like an end tag.
fn is_end_tag(text: &str, element: &str) -> bool {
    let mut seen = text
        .chars()
        .filter(|&c| !c.is_whitespace() && !is_invisible(c));
    let mut name = element.chars();
    seen.next() == Some('/')
        && name.all(|c| {
            seen.next()
                .is_some_and(|seen| seen.eq_ignore_ascii_case(&c))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use skill_manifest::__private::is_visible;

    /// Generates strings in which about every second character is markup or invisible.
    fn hostile() -> impl Strategy<Value = String> {
        let mean = prop::sample::select(vec![
            '<',
            '>',
            '&',
            '"',
            '\'',
            '\n',
            '\r',
            '\t',
            '\u{1b}',
            '\0',
            '\u{202E}',
            '\u{200B}',
            '\u{E0041}',
            '\u{E01EF}',
            '\u{2028}',
            '\u{FEFF}',
            '\u{34F}',
            '\u{115F}',
            '\u{17B4}',
            '\u{180B}',
            '\u{3164}',
            '\u{FFA0}',
            '\u{FFF9}',
            '\u{FE0F}',
            '\u{200D}',
            '\u{2764}',
            ' ',
        ]);
        let c = prop_oneof![mean, any::<char>()];
        prop::collection::vec(c, 0..60).prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #[test]
        fn escaped_text_has_no_tag_and_no_invisible_character(text in hostile()) {
            for xml in [description(&text, MAX_DESCRIPTION_LENGTH), attribute(&text)] {
                prop_assert!(!xml.contains(['<', '>', '"', '\'']), "{xml:?}");
                prop_assert!(!xml.contains(|c: char| c.is_control() && c != '\n'), "{xml:?}");
                let mut before = None;
                prop_assert!(!xml.contains(|c| is_invisible_after(before.replace(c), c)), "{xml:?}");
            }
            prop_assert!(!attribute(&text).contains(is_invisible));
            let lines = ['\n', '\r', '\t', '\u{2028}'];
            prop_assert!(!attribute(&text).contains(lines));
        }

        #[test]
        fn escaped_text_can_be_unescaped(text in hostile()) {
            let mut back = attribute(&text);
            for (entity, c) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&amp;", "&")] {
                back = back.replace(entity, c);
            }
            let plain = text.replace(breaks_line, " ");
            prop_assert_eq!(back, shown(&plain, usize::MAX));
        }

        #[test]
        fn a_line_is_plain_and_bounded(text in hostile(), max in 0_usize..20) {
            let whole = line(&text, usize::MAX);
            prop_assert!(whole.chars().all(is_visible) && as_typed(&text).chars().all(is_visible));
            prop_assert!(line(&text, max).chars().count() <= max + 1);
        }
    }

    #[test]
    fn an_end_tag_in_a_text_is_escaped_however_it_is_spelled() {
        let cases = [
            ("a </skill> b", "a &lt;/skill> b"),
            ("</SKILL>< /\n skill>", "&lt;/SKILL>&lt; /\n skill>"),
            ("<\u{200B}/sk\u{200D}ill>", "&lt;\u{200B}/sk\u{200D}ill>"),
            ("</skills>", "&lt;/skills>"),
            ("<skill> a < b </b> <", "<skill> a < b </b> <"),
            ("<</skill", "<&lt;/skill"),
        ];
        for (text, expected) in cases {
            assert_eq!(end_tags(text, "skill"), expected);
        }
    }

    #[test]
    fn a_long_text_is_cut_before_it_is_escaped() {
        let long = description(&"<".repeat(2_000), MAX_DESCRIPTION_LENGTH);
        assert_eq!(long, format!("{}…", "&lt;".repeat(1_024)));
        assert_eq!(name(&"x".repeat(65)), format!("{}…", "x".repeat(64)));
        assert_eq!(name("a\n\u{1b}[2J  b"), "a [2J b");
    }

    #[test]
    fn typed_text_is_shown_exactly() {
        assert_eq!(as_typed("a  b é字 \\u"), "a  b é字 \\u");
        assert_eq!(
            as_typed("a\u{a0}b\u{3000}\u{200b}\u{202e}\n\t"),
            "a\\u{a0}b\\u{3000}\\u{200b}\\u{202e}\\n\\t"
        );
        assert_eq!(as_typed(&"x".repeat(65)), format!("{}…", "x".repeat(64)));
    }

    #[test]
    fn an_emoji_stays_in_a_description() {
        let text = "\u{2764}\u{FE0F}\u{200D}\u{1F525} a\u{FE0F}\u{200D}b\u{3164}";
        assert_eq!(
            description(text, MAX_DESCRIPTION_LENGTH),
            "\u{2764}\u{FE0F}\u{200D}\u{1F525} ab"
        );
        assert_eq!(attribute(text), "\u{2764}\u{1F525} ab");
        assert_eq!(name(text), "\u{2764}\u{1F525} ab");
    }
}
