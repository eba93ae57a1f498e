//! Finds words in backticks that are probably misspelled tool names.

use crate::{Diagnostic, DiagnosticCode, Severity};
use skill_agent_grammar::LONGEST_NAME;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of mistakes in a misspelled name: missing, added, wrong or swapped letters.
const MOST_MISTAKES: usize = 2;

/// The number of letters in a name per allowed mistake. With this value, nothing is reported in 166 documents of other authors,
/// compared with 68 tools. With a lower value, words such as `content` are reported as `comment`.
const LETTERS: usize = 4;

/// Returns a warning for each word in backticks that looks like a misspelled tool name, with the intended name. `known` contains
/// the names of other things, such as arguments. Code blocks are skipped.
///
/// ```
/// use skill_manifest::misspelled_tools;
///
/// let text = "Find the order with `serch_orders`, and read its `items`.\n";
/// let found = misspelled_tools(text, &["search_orders", "list_items"], &[]);
/// assert_eq!(
///     found[0].to_string(),
///     "1:22: warning[misspelled_tool]: no tool has the name `serch_orders`; did you mean `search_orders`?",
/// );
/// assert_eq!(found.len(), 1);
/// ```
#[must_use]
pub fn misspelled_tools(text: &str, tools: &[&str], known: &[&str]) -> Vec<Diagnostic> {
    let known: BTreeSet<&str> = tools.iter().chain(known).copied().collect();
    let mut meant = BTreeMap::new();
    let words = words_in_backticks(text).filter(|word| !known.contains(word.text));
    let found = words.filter_map(|word| {
        let near = *meant
            .entry(word.text)
            .or_insert_with(|| meant_tool(word.text, tools));
        Some(Diagnostic {
            line: Some(word.line),
            column: Some(word.column()),
            ..misspelled(word.text, near?)
        })
    });
    found.collect()
}

/// Returns a warning if a tool name is probably misspelled.
pub fn misspelled_tool(name: &str, tools: &[&str]) -> Option<Diagnostic> {
    if tools.contains(&name) {
        return None;
    }
    meant_tool(name, tools).map(|meant| misspelled(name, meant))
}

fn misspelled(name: &str, meant: &str) -> Diagnostic {
    let message = format!("no tool has the name `{name}`; did you mean `{meant}`?");
    Diagnostic::new(DiagnosticCode::MisspelledTool, Severity::Warning, message)
}

/// Returns the tool that a word most probably means: the first one with the fewest mistakes.
fn meant_tool<'a>(word: &str, tools: &[&'a str]) -> Option<&'a str> {
    let spelled = spelling(word);
    let near = tools.iter().filter_map(|tool| {
        let most = MOST_MISTAKES.min(tool.len() / LETTERS);
        // skip most names, because the time of a comparison is proportional to the product of the two lengths
        if word.len().abs_diff(tool.len()) > most {
            return None;
        }
        let mistakes = strsim::osa_distance(&spelled, &spelling(tool));
        (mistakes <= most).then_some((mistakes, *tool))
    });
    near.min_by_key(|(mistakes, _)| *mistakes)
        .map(|(_, tool)| tool)
}

/// Normalizes a name's style, so that `getUser` has only one mistake, the missing `_`.
fn spelling(name: &str) -> String {
    name.to_ascii_lowercase().replace('-', "_")
}

/// A word in backticks, with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The word, without call arguments.
    pub text: &'a str,
    /// The line, counted from 1.
    pub line: u32,
    /// The text before the word in its line.
    before: &'a str,
}

impl Word<'_> {
    /// Returns the column in characters, counted from 1.
    pub fn column(&self) -> u32 {
        u32::try_from(self.before.chars().count() + 1).unwrap_or(u32::MAX)
    }
}

/// Returns the words in backticks that may be tool names, such as `search` and `search(text)`. Skips code blocks.
pub fn words_in_backticks(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut fence: Option<&str> = None;
    let lines = text.lines().zip(1..).filter(move |(line, _)| {
        let marks = fence_marks(line);
        match (fence, marks) {
            (None, None) => return true,
            (None, Some(_)) => fence = marks,
            (Some(open), Some(marks)) if closes(open, marks, line) => fence = None,
            (Some(_), _) => {}
        }
        false
    });
    lines.flat_map(|(line, number)| spans(line).filter_map(move |span| word(line, span, number)))
}

/// Returns the fence marks at the start or end of a code block.
fn fence_marks(line: &str) -> Option<&str> {
    let line = without_list_marks(line);
    let mark = line
        .chars()
        .next()
        .filter(|mark| ['`', '~'].contains(mark))?;
    let rest = line.trim_start_matches(mark);
    let marks = &line[..line.len() - rest.len()];
    // a line with more backticks has inline code
    (marks.len() >= 3 && !(mark == '`' && rest.contains('`'))).then_some(marks)
}

/// Removes the marks of lists and quotations from a line.
fn without_list_marks(line: &str) -> &str {
    let mut line = line.trim_start();
    loop {
        let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = match line.as_bytes().first() {
            Some(b'>') => &line[1..],
            Some(b'-' | b'*' | b'+') if line[1..].starts_with(' ') => &line[1..],
            Some(b'0'..=b'9') if after_number.starts_with(". ") => &after_number[1..],
            _ => return line,
        };
        line = rest.trim_start();
    }
}

fn closes(open: &str, marks: &str, line: &str) -> bool {
    marks.starts_with(open) && without_list_marks(line).trim_end() == marks
}

/// Returns the text between equal numbers of backticks.
fn spans(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let from = &rest[rest.find('`')?..];
            let inner = from.trim_start_matches('`');
            let marks = &from[..from.len() - inner.len()];
            rest = inner;
            if let Some(length) = closing(inner, marks) {
                rest = &inner[length + marks.len()..];
                return Some(&inner[..length]);
            }
        }
    })
}

/// Returns the offset of a run with exactly as many backticks as `marks`.
fn closing(text: &str, marks: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find('`')?;
        let length = text[at..].len() - text[at..].trim_start_matches('`').len();
        if length == marks.len() {
            return Some(at);
        }
        at += length;
    }
}

fn word<'a>(line: &'a str, span: &'a str, number: u32) -> Option<Word<'a>> {
    let span = span.trim();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let rest = span.trim_start_matches(is_part);
    let text = &span[..span.len() - rest.len()];
    let is_call = rest.starts_with('(') && rest.ends_with(')');
    let is_name = !text.is_empty() && text.len() <= LONGEST_NAME && (rest.is_empty() || is_call);
    // `span` is a slice of `line`
    let before = &line[..span.as_ptr().addr() - line.as_ptr().addr()];
    is_name.then_some(Word {
        text,
        line: number,
        before,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<&str> {
        words_in_backticks(text).map(|word| word.text).collect()
    }

    #[test]
    fn only_single_words_in_backticks_are_words() {
        for (text, expected) in [
            (
                "Call `search`, then `read_file(path, 1)`.",
                &["search", "read_file"][..],
            ),
            ("``search`` and ` read `", &["search", "read"]),
            ("`two words` `a.b` `--flag=1` `f(x) + 1` `/path` ``", &[]),
            ("`--flag` `get-order`", &["--flag", "get-order"]),
            ("`not closed", &[]),
            ("``with ` inside`` and `search`", &["search"]),
            ("```\n`code`\n```\n`text`", &["text"]),
            ("~~~ sh\n`code`\n```\n`code`\n~~~~\n`text`", &["text"]),
            ("````\n```\n`code`\n````\n`text`", &["text"]),
            ("```inline``` and `text`", &["inline", "text"]),
            ("  - ```sh\n    `code`\n    ```\n  - `text`", &["text"]),
            ("1. ~~~\n   `code`\n   ~~~\n2. `text`", &["text"]),
            ("> ```\n> `code`\n> ```\n> `text`", &["text"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn a_word_has_its_place() {
        let words: Vec<_> = words_in_backticks("é `a`\n\n  `b` `` c ``\n").collect();
        let places: Vec<_> = words
            .iter()
            .map(|word| (word.line, word.column()))
            .collect();
        assert_eq!(places, [(1, 4), (3, 4), (3, 10)]);
    }

    #[test]
    fn names_of_tools_and_known_names_are_right() {
        let text = "`search` `serch` `searchs` `searching` `find` `Search`";
        let found = |known: &[&str]| {
            let found = misspelled_tools(text, &["search"], known);
            found
                .into_iter()
                .map(|found| found.message)
                .collect::<Vec<_>>()
        };
        let message = |word| format!("no tool has the name `{word}`; did you mean `search`?");
        assert_eq!(found(&[]), ["serch", "searchs", "Search"].map(message));
        assert_eq!(found(&["searchs", "Search"]), ["serch"].map(message));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[`~a(ö \\n)]{0,40}") {
            let _ = misspelled_tools(&text, &["aaa"], &[]);
        }
    }

    #[test]
    fn marks_and_words_of_a_long_line_take_linear_time() {
        let marks = ">".repeat(1_000_000) + " `search`";
        assert_eq!(words(&marks), ["search"]);
        let many = "`a` ".repeat(250_000);
        assert_eq!(words(&many).len(), 250_000);
    }
}
