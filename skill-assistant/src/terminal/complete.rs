//! Completes commands, tools, arguments and the names of files.

use crate::skills::files::Folder;
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};
use std::sync::{Arc, Mutex, PoisonError};

/// The words that can be completed.
pub(crate) struct Known {
    /// The commands, with their slashes.
    pub(crate) commands: Vec<String>,
    /// The tools, each with the names of its arguments.
    pub(crate) tools: Vec<(String, Vec<String>)>,
    /// The folder with the files.
    pub(crate) folder: Folder,
}

impl Known {
    /// Returns where the last word of a line begins, and what it can become.
    fn complete(&self, line: &str) -> (usize, Vec<String>) {
        let mut blanks = line.rmatch_indices(char::is_whitespace);
        let start = blanks.next().map_or(0, |(at, blank)| at + blank.len());
        let word = &line[start..];
        let mut words = line.split_whitespace();
        if start == 0 {
            let tools = self.tools.iter().map(|(name, _)| name);
            return (0, beginning_with(word, self.commands.iter().chain(tools)));
        }
        let Some((_, arguments)) = words
            .next()
            .and_then(|first| self.tools.iter().find(|(name, _)| name == first))
        else {
            return (start, Vec::new());
        };
        match word.split_once('=') {
            Some(("path", path)) => (start + "path=".len(), self.paths(path)),
            Some(_) => (start, Vec::new()),
            None => {
                let arguments = arguments.iter().map(|name| format!("{name}="));
                (start, beginning_with(word, &arguments.collect::<Vec<_>>()))
            }
        }
    }

    fn paths(&self, typed: &str) -> Vec<String> {
        let (folder, _) = typed.rsplit_once('/').unwrap_or_default();
        let parent = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        // a folder that cannot be read has no names to offer
        let names = self.folder.names(folder).unwrap_or_default();
        // the word ends at a blank, and a control character has no key
        let is_word =
            |name: &&String| !name.contains(|c: char| c.is_whitespace() || c.is_control());
        let names = names.iter().filter(is_word);
        let paths = names.map(|name| format!("{parent}{name}"));
        beginning_with(typed, &paths.collect::<Vec<_>>())
    }
}

fn beginning_with<'a>(word: &str, words: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let words = words.into_iter();
    words
        .filter(|known| known.starts_with(word))
        .cloned()
        .collect()
}

/// The completion of the line editor.
pub(super) struct Completion(pub(super) Arc<Mutex<Known>>);

impl Completer for Completion {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(known.complete(&line[..pos]))
    }
}

impl Helper for Completion {}
impl Highlighter for Completion {}
impl Validator for Completion {}

impl Hinter for Completion {
    type Hint = String;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_last_word_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("docs")).unwrap();
        fs::write(folder.path().join("docs/plan.md"), "").unwrap();
        fs::write(folder.path().join("draft.md"), "").unwrap();
        let known = Known {
            commands: vec!["/tools".into(), "/undo".into()],
            tools: vec![("read_file".into(), vec!["path".into()])],
            folder: Folder::open(folder.path()).unwrap(),
        };
        for (line, start, expected) in [
            ("/t", 0, vec!["/tools"]),
            ("re", 0, vec!["read_file"]),
            ("read_file ", 10, vec!["path="]),
            ("read_file path=d", 15, vec!["docs/", "draft.md"]),
            ("read_file path=docs/", 15, vec!["docs/plan.md"]),
            ("read_file path=../", 15, vec![]),
            ("read_file text=", 10, vec![]),
            ("Read the ", 9, vec![]),
            ("日本 re", 7, vec![]),
            ("日本\u{3000}re", 9, vec![]),
            ("\u{3000}re", 3, vec![]),
        ] {
            let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(known.complete(line), (start, expected), "{line}");
        }
    }
}
