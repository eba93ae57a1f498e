//! Splits text into frontmatter and body.

use crate::diagnostic::Position;

/// The parts of a document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Parts<'a> {
    /// YAML between two delimiters, followed by the body. The YAML begins in line 2.
    Both { yaml: &'a str, body: Body<'a> },
    /// No frontmatter.
    BodyOnly(Body<'a>),
    /// The first line begins like a delimiter but is not one.
    Malformed(Position),
    /// There is an opening delimiter without a closing one.
    Unclosed,
}

/// The body without leading and trailing blank lines, and its byte offset.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Body<'a> {
    pub(crate) text: &'a str,
    pub(crate) offset: usize,
}

/// Splits text. Skips one byte order mark. A line ends with LF, CR LF or CR, and a delimiter is a line of `---` and whitespace.
pub(crate) fn split(whole: &str) -> Parts<'_> {
    let text = whole.strip_prefix('\u{FEFF}').unwrap_or(whole);
    let start = whole.len() - text.len();
    let (first, mut at) = line(text);
    if !is_delimiter(first) {
        // malformed frontmatter does not count as missing frontmatter, because it may restrict the document
        let shown = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
        if shown.starts_with("---") {
            return Parts::Malformed(Position::of(text.as_bytes(), text.len() - shown.len()));
        }
        return Parts::BodyOnly(body(whole, start));
    }
    let begin = at;
    while at < text.len() {
        let (next, length) = line(&text[at..]);
        if is_delimiter(next) {
            let yaml = &text[begin..at];
            let body = body(whole, start + at + length);
            return Parts::Both { yaml, body };
        }
        at += length;
    }
    Parts::Unclosed
}

/// Returns the first line without its line end, and its length including the line end.
fn line(text: &str) -> (&str, usize) {
    let bytes = text.as_bytes();
    match bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        None => (text, text.len()),
        Some(end) if bytes[end..].starts_with(b"\r\n") => (&text[..end], end + 2),
        Some(end) => (&text[..end], end + 1),
    }
}

fn is_delimiter(line: &str) -> bool {
    line.strip_prefix("---")
        .is_some_and(|rest| rest.bytes().all(|byte| matches!(byte, b' ' | b'\t')))
}

fn body(whole: &str, mut offset: usize) -> Body<'_> {
    while offset < whole.len() {
        let (first, length) = line(&whole[offset..]);
        if !first.trim().is_empty() {
            break;
        }
        offset += length;
    }
    let text = whole[offset..].trim_end();
    Body { text, offset }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(text: &str) -> Option<(&str, &str)> {
        match split(text) {
            Parts::Both { yaml, body } => {
                assert!(text[body.offset..].starts_with(body.text));
                Some((yaml, body.text))
            }
            _ => None,
        }
    }

    #[test]
    fn a_delimiter_is_a_line_of_three_dashes_and_blanks() {
        assert_eq!(both("---\na: 1\n---\n\n  b\n"), Some(("a: 1\n", "  b")));
        assert_eq!(
            both("\u{FEFF}--- \t\r\na: 1\r\n--- \r\nb"),
            Some(("a: 1\r\n", "b"))
        );
        assert_eq!(both("---\ra: 1\r---\rb\r"), Some(("a: 1\r", "b")));
        assert_eq!(both("---\n---"), Some(("", "")));
        assert_eq!(
            both("---\na: x --- y\n---- \n---"),
            Some(("a: x --- y\n---- \n", ""))
        );
    }

    #[test]
    fn malformed_frontmatter_is_not_missing_frontmatter() {
        let at = |line, column| Parts::Malformed(Position { line, column });
        assert_eq!(split("----\na: 1\n---\n"), at(1, 1));
        assert_eq!(split("\n\n  --- yaml\n"), at(3, 3));
        assert_eq!(split("\u{FEFF}\u{FEFF}---\n---\n"), at(1, 2));
        assert_eq!(split("---\na: 1\n---b\n"), Parts::Unclosed);
        assert_eq!(split("---"), Parts::Unclosed);
        let body = Body {
            text: "# a\n\n---",
            offset: 1,
        };
        assert_eq!(split("\n# a\n\n---\n"), Parts::BodyOnly(body));
    }
}
