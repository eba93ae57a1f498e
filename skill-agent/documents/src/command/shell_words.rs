//! Splits a line into words, following the POSIX shell's rules for quotes and backslashes but no others, so `$`, `*` and `#` are
//! plain characters.
//!
//! Other crates do not report the position of an unclosed quote. They also treat `#` as the start of a comment, which would drop
//! the rest of `/fix issue #12`.

use std::ops::Range;

/// A word of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// The byte offset of the first unquoted `=` in `text`.
    pub(crate) equals: Option<usize>,
    /// Whether the word contains a quote or a backslash. If the word contains a `=`, only the part after it counts.
    pub(crate) quoted: bool,
    /// The word's byte range in the line.
    pub(crate) span: Range<usize>,
}

impl Word {
    /// Creates a word that is not part of a line.
    pub(crate) fn plain(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }

    /// Creates the word that sets a property.
    pub(crate) fn property(name: &str, text: &str) -> Self {
        Self {
            equals: Some(name.len()),
            ..Self::plain(&format!("{name}={text}"))
        }
    }

    fn at(start: usize) -> Self {
        Self {
            span: start..start,
            ..Self::default()
        }
    }
}

/// An unclosed quote or a trailing backslash, with its byte offset in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnclosedQuote {
    /// The unclosed character: `'`, `"` or `\`.
    pub(crate) with: char,
    pub(crate) at: usize,
}

/// Returns whether a character separates words. Only ASCII blanks do. Other blanks, such as a no-break space, are part of a word,
/// so that no character is lost.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Splits a line into words.
pub(crate) fn split(line: &str) -> Result<Vec<Word>, UnclosedQuote> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut rest = line.char_indices();
    while let Some((at, c)) = rest.next() {
        if is_blank(c) {
            words.extend(finished(word.take(), at));
            continue;
        }
        if c == '\\' {
            match rest.next() {
                // a line continuation
                Some((_, '\n')) => {}
                Some((_, next)) => {
                    let word = word.get_or_insert_with(|| Word::at(at));
                    word.text.push(next);
                    word.quoted = true;
                }
                None => return Err(UnclosedQuote { with: c, at }),
            }
            continue;
        }
        let word = word.get_or_insert_with(|| Word::at(at));
        match c {
            '\'' | '"' => {
                quoted(c, &mut rest, &mut word.text).ok_or(UnclosedQuote { with: c, at })?;
                word.quoted = true;
            }
            _ => {
                if c == '=' && word.equals.is_none() {
                    word.equals = Some(word.text.len());
                    word.quoted = false;
                }
                word.text.push(c);
            }
        }
    }
    words.extend(finished(word, line.len()));
    Ok(words)
}

fn finished(word: Option<Word>, end: usize) -> Option<Word> {
    word.map(|mut word| {
        word.span.end = end;
        word
    })
}

/// Reads up to the closing quote. Returns `None` if there is no closing quote.
fn quoted(
    quote: char,
    rest: &mut impl Iterator<Item = (usize, char)>,
    text: &mut String,
) -> Option<()> {
    loop {
        match rest.next()?.1 {
            c if c == quote => return Some(()),
            '\\' if quote == '"' => match rest.next()?.1 {
                '\n' => {}
                c @ ('$' | '`' | '"' | '\\') => text.push(c),
                c => text.extend(['\\', c]),
            },
            c => text.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    fn texts(line: &str) -> Result<Vec<String>, UnclosedQuote> {
        Ok(split(line)?.into_iter().map(|word| word.text).collect())
    }

    fn quote(word: &str) -> String {
        format!("'{}'", word.replace('\'', r"'\''"))
    }

    proptest! {
        #[test]
        fn quoted_words_are_split_back(words in prop::collection::vec(any::<String>(), 0..8)) {
            let line: Vec<String> = words.iter().map(|word| quote(word)).collect();
            let again = split(&line.join(" ")).unwrap();
            prop_assert!(again.iter().all(|word| word.equals.is_none()));
            prop_assert_eq!(texts(&line.join("\t ")), Ok(words));
        }

        #[test]
        fn every_line_has_words_or_an_unclosed_quote(line in "[a-c='\"\\\\ \n]{0,40}") {
            match split(&line) {
                Ok(words) => for word in words {
                    prop_assert!(word.equals.is_none_or(|at| word.text[at..].starts_with('=')));
                },
                Err(open) => prop_assert!(line[open.at..].starts_with(open.with)),
            }
        }
    }

    #[test]
    fn words_are_split_outside_of_quotes() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            (" \t\n ", &[]),
            ("a  b", &["a", "b"]),
            ("''", &[""]),
            (r#"a"b c"d"#, &["ab cd"]),
            (r#"key="a b" 'c d'"#, &["key=a b", "c d"]),
            (r#""a\"b\\c\d""#, &[r#"a"b\c\d"#]),
            (r"a\ b \'", &["a b", "'"]),
            ("a\\\nb", &["ab"]),
            ("a\r\nb\rc", &["a", "b", "c"]),
            (
                "10\u{a0}km \u{3000}字\u{2003}",
                &["10\u{a0}km", "\u{3000}字\u{2003}"],
            ),
            ("\u{2028}\u{feff} a", &["\u{2028}\u{feff}", "a"]),
            ("fix #12 $HOME *", &["fix", "#12", "$HOME", "*"]),
        ];
        for (line, expected) in cases {
            assert_eq!(texts(line).unwrap(), *expected, "{line}");
        }
    }

    #[test]
    fn an_unclosed_quote_is_reported_with_its_position() {
        for (line, with, at) in [("é 'a", '\'', 3), ("a \"b\\\"", '"', 2), ("a\\", '\\', 1)] {
            assert_eq!(split(line), Err(UnclosedQuote { with, at }), "{line}");
        }
    }

    #[test]
    fn only_an_unquoted_equals_sign_splits_off_a_key() {
        let equals = |line| split(line).unwrap()[0].equals;
        assert_eq!(equals("a=b=c"), Some(1));
        assert_eq!(equals("a='b=c'"), Some(1));
        assert_eq!(equals("'a'=b"), Some(1));
        assert_eq!(equals("'a=b'"), None);
        assert_eq!(equals(r"a\=b"), None);
    }

    #[test]
    fn a_value_is_quoted_if_any_part_of_it_is() {
        let quoted = |line| split(line).unwrap()[0].quoted;
        for line in ["'5'", "a='5'", "a=5''", r"a=\5", "a=b'='", "'a=b'"] {
            assert!(quoted(line), "{line}");
        }
        for line in ["5", "a=5", "'a'=5", r"\a=5", "a=\\\n5", "a=b=c"] {
            assert!(!quoted(line), "{line}");
        }
    }

    /// Python's `shlex.split` follows the same rules, except for a backslash before `$`, a backquote or a newline.
    #[test]
    fn words_are_split_like_in_python() {
        let lines: Vec<String> = (0..4_000_u32)
            .map(|seed| {
                let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
                (0..seed % 13)
                    .map(|_| {
                        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        b"ab='\"\\ \t#"[(state >> 24) as usize % 9] as char
                    })
                    .collect()
            })
            .collect();
        let program = "import json, shlex, sys\n\
            def split(line):\n    \
                try: return shlex.split(line)\n    \
                except ValueError: return None\n\
            print(json.dumps([split(line) for line in json.load(sys.stdin)]))";
        let child = Command::new("python3")
            .args(["-c", program])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = child else {
            eprintln!("skipped: there is no python3");
            return;
        };
        let input = serde_json::to_string(&lines).unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let expected: Vec<Option<Vec<String>>> = serde_json::from_slice(&output.stdout).unwrap();
        assert!(expected.iter().any(Option::is_none) && expected.iter().flatten().count() > 500);
        for (line, expected) in lines.iter().zip(expected) {
            assert_eq!(texts(line).ok(), expected, "{line:?}");
        }
    }
}
