//! Repairs the most common mistake in documents found in the wild: an unquoted value that contains a colon, or begins with a
//! character reserved by YAML.

use crate::diagnostic::Position;
use crate::restriction_key::{has_restriction_key, is_restriction_key};
use crate::{DocumentLimits, FrontmatterField, yaml};

/// A source that may now parse, and the keys whose values were quoted. Line numbers and the start of every value are unchanged.
#[derive(Debug)]
pub(crate) struct Repaired {
    pub(crate) source: String,
    pub(crate) keys: Vec<(String, Position)>,
}

/// With more mistakes than this, nothing is repaired.
const MAX: usize = 64;

/// Quotes values that can only be meant as strings: top-level values that do not parse, begin with neither a quote nor a
/// structural character, and span one line or indented lines. Neither the key nor a further line may be a restriction in another
/// spelling: a document whose restriction became a part of a string would be allowed more than its author meant.
/// Returns `None` if there is no such value, or too many.
pub(crate) fn repair(source: &str, limits: &DocumentLimits) -> Option<Repaired> {
    let mut repaired = Repaired {
        source: String::with_capacity(source.len() + 2),
        keys: Vec::new(),
    };
    let mut number = 1;
    for entry in entries(source) {
        match quoted(entry, limits) {
            Some((key, column, text)) => {
                let line = number;
                repaired.keys.push((key, Position { line, column }));
                repaired.source.push_str(&text);
                if repaired.keys.len() > MAX {
                    return None;
                }
            }
            None => repaired.source.push_str(entry),
        }
        number += Position::of(entry.as_bytes(), entry.len()).line - 1;
    }
    Some(repaired).filter(|repaired| !repaired.keys.is_empty())
}

/// Splits the source into top-level lines, each with the indented lines below it.
fn entries(source: &str) -> impl Iterator<Item = &str> {
    let bytes = source.as_bytes();
    let begins = |at: usize| {
        matches!(bytes[at - 1], b'\n' | b'\r') && !matches!(bytes[at], b' ' | b'\t' | b'\n' | b'\r')
    };
    let starts = (1..bytes.len()).filter(move |&at| begins(at));
    let ends = starts.clone().chain([bytes.len()]);
    std::iter::once(0)
        .chain(starts)
        .zip(ends)
        .map(|(start, end)| &source[start..end])
}

/// Returns the key of an entry, the column of its value, and the entry with its value quoted.
fn quoted(entry: &str, limits: &DocumentLimits) -> Option<(String, u32, String)> {
    let (key, rest) = entry.split_once(':')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if key.is_empty() || !key.chars().all(plain) || !rest.starts_with([' ', '\t']) {
        return None;
    }
    let value = rest.trim_start_matches([' ', '\t']);
    let text = value.trim_end();
    let structure = [
        '"', '\'', '[', ']', '{', '}', '|', '>', '&', '*', '!', '#', '\n', '\r',
    ];
    let nested = ["- ", "? ", "-\t", "?\t", "-\n", "-\r"];
    // the one key whose values are documented with brackets, `[issue] [branch]`
    let is_hint = key == FrontmatterField::ArgumentHint.key() && value.starts_with('[');
    let opens = !is_hint && value.starts_with(structure)
        || nested.iter().any(|prefix| value.starts_with(prefix));
    if text.is_empty()
        || opens
        || hides_restriction(key, text)
        || yaml::read(entry, limits, "the entry").is_ok()
    {
        return None;
    }
    let before = &entry[..entry.len() - value.len()];
    let after = &value[text.len()..];
    let column = before.chars().count() as u32 + 1;
    let text = format!("{before}'{}'{after}", text.replace('\'', "''"));
    Some((key.to_owned(), column, text))
}

/// Whether a restriction would be lost if the value became a string. A restriction under its own name stays one.
fn hides_restriction(key: &str, text: &str) -> bool {
    let is_own_name = FrontmatterField::of(key).is_some();
    let mut further_lines = text.split(ENDS_LINE).skip(1);
    (!is_own_name && is_restriction_key(key)) || further_lines.any(has_restriction_key)
}

/// The characters after which a reader of the text sees another line. Not all of them end a line in YAML.
const ENDS_LINE: [char; 7] = [
    '\n', '\r', '\u{B}', '\u{C}', '\u{85}', '\u{2028}', '\u{2029}',
];

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(source: &str) -> Option<(String, Vec<(String, Position)>)> {
        repair(source, &DocumentLimits::DEFAULT).map(|repaired| (repaired.source, repaired.keys))
    }

    #[test]
    fn a_value_with_a_colon_is_a_string() {
        let (source, keys) =
            repaired("name: a\n\ndescription: Use it: now, it's new\n  and: here\n\nx: 1\n")
                .unwrap();
        assert_eq!(
            source,
            "name: a\n\ndescription: 'Use it: now, it''s new\n  and: here'\n\nx: 1\n"
        );
        let at = Position {
            line: 3,
            column: 14,
        };
        assert_eq!(keys, [("description".to_owned(), at)]);
    }

    #[test]
    fn too_many_mistakes_are_not_repaired() {
        assert!(repaired(&"k: a: b\n".repeat(MAX)).is_some());
        assert_eq!(repaired(&"k: a: b\n".repeat(MAX + 1)), None);
    }

    #[test]
    fn structured_values_are_not_repaired() {
        for source in [
            "a: \"x\" b\n",
            "a: [x: y: z\n",
            "a: *x\n",
            "a: 1\n",
            ": x: y\n",
            "",
            "- a: b: c\n",
            "a: - b\n",
            "a: x: y\n  allowed-tools: Read\n",
        ] {
            assert_eq!(repaired(source), None, "{source}");
        }
        assert!(repaired("a: `x`\r\nb: @y\r\n").is_some());
        let (hint, _) = repaired("argument-hint: [issue] [branch]\n").unwrap();
        assert_eq!(hint, "argument-hint: '[issue] [branch]'\n");
    }
}
