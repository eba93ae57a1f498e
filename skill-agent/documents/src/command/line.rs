//! Splits a typed line into a command and words.

use super::CommandError;
use super::shell_words::{UnclosedQuote, Word, is_blank, split};
use skill_core::MAX_ARGUMENT_BYTES;

/// A line of the form `/name words…`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CommandLine<'a> {
    /// The command without its slash, or an empty string.
    pub(crate) name: &'a str,
    line: &'a str,
    /// The byte offset of the text after the name.
    rest: usize,
}

impl<'a> CommandLine<'a> {
    /// Parses only the name, and leaves the words for later, so that an unknown command is reported before an unclosed quote.
    pub(crate) fn read(line: &'a str) -> Result<Self, CommandError> {
        let line = Self::of_words(line)?.line;
        let start = line.len() - line.trim_start_matches(is_blank).len();
        let Some(command) = line[start..].strip_prefix('/') else {
            return Err(CommandError::NoCommand);
        };
        let name = command.split(is_blank).next().unwrap_or_default();
        let rest = start + 1 + name.len();
        Ok(Self { name, line, rest })
    }

    /// Checks a line of words without a command.
    pub(crate) fn of_words(line: &'a str) -> Result<Self, CommandError> {
        let (bytes, max) = (line.len(), MAX_ARGUMENT_BYTES);
        if bytes > max {
            return Err(CommandError::TooLong { bytes, max });
        }
        let control = |c: char| c.is_control() && !is_blank(c);
        if let Some(at) = line.find(control) {
            return Err(CommandError::ControlCharacter {
                character: line[at..].chars().next().unwrap_or_default(),
                position: position(line, at),
            });
        }
        let (name, rest) = ("", 0);
        Ok(Self { name, line, rest })
    }

    /// Parses the words after the name.
    pub(crate) fn words(&self) -> Result<Vec<Word>, CommandError> {
        split(&self.line[self.rest..]).map_err(|UnclosedQuote { with, at }| {
            CommandError::Unclosed {
                quote: with,
                position: position(self.line, self.rest + at),
            }
        })
    }

    /// Returns the typed text from the first to the last of these words.
    pub(crate) fn typed(&self, words: &[Word]) -> &'a str {
        match words {
            [] => "",
            [first, .., last] | [first @ last] => {
                &self.line[self.rest + first.span.start..self.rest + last.span.end]
            }
        }
    }
}

/// Converts a byte offset to a position, counted in characters from 1.
fn position(line: &str, at: usize) -> usize {
    line[..at].chars().count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_not_a_command_is_reported_with_the_position() {
        let long = format!("/{}", "x".repeat(MAX_ARGUMENT_BYTES));
        let cases = [
            ("", "Error: a command begins with '/'."),
            (" \n", "Error: a command begins with '/'."),
            ("plan it", "Error: a command begins with '/'."),
            (
                "/é \u{1b}[2J",
                "Error: the control character '\\u{1b}' at character 4 is not allowed in a command.",
            ),
            (
                "/a\0",
                "Error: the control character '\\0' at character 3 is not allowed in a command.",
            ),
            // these characters do not separate words, and would be invisible within a word
            (
                "/a b\u{b}c",
                "Error: the control character '\\u{b}' at character 5 is not allowed in a command.",
            ),
            (
                "/a\u{85}",
                "Error: the control character '\\u{85}' at character 3 is not allowed in a command.",
            ),
            ("\u{3000}/a", "Error: a command begins with '/'."),
            (
                &long,
                "Error: the line has 1048577 bytes; at most 1048576 are read.",
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(CommandLine::read(line).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn a_name_ends_at_a_blank_of_ascii() {
        for (line, name) in [
            ("/a b", "a"),
            ("\r\n\t/a\tb", "a"),
            ("/a\rb", "a"),
            ("/a\u{3000}b", "a\u{3000}b"),
            ("/a\u{a0}", "a\u{a0}"),
        ] {
            assert_eq!(CommandLine::read(line).unwrap().name, name);
        }
    }

    #[test]
    fn the_position_of_a_quote_counts_from_the_start_of_the_line() {
        let line = CommandLine::read("  /é 'a b' don't").unwrap();
        assert_eq!(line.name, "é");
        let error = line.words().unwrap_err();
        assert_eq!(
            error.to_string(),
            "Error: the quote \"'\" at character 15 is not closed; to write it as it is, put '\\' before it."
        );
        assert_eq!(
            CommandLine::read("/ x\\")
                .unwrap()
                .words()
                .unwrap_err()
                .to_string(),
            "Error: nothing follows the '\\' at character 4; to write it as it is, put '\\' before it."
        );
    }
}
