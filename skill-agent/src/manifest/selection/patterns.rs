//! Patterns that are compiled on first use and run only if one of their literals occurs.

use super::literal::required_literals;
use regex_lite::Regex;
use skill_manifest::__private::{compile_glob, compile_pattern, glob_to_regex};
use std::collections::HashMap;
use std::sync::OnceLock;

/// The syntax of the patterns in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// Regular expressions for the text of a request.
    Regex,
    /// Globs for paths.
    Glob,
}

/// Patterns, each with the candidates that have it.
#[derive(Debug)]
pub(super) struct PatternSet {
    syntax: Syntax,
    entries: Vec<PatternEntry>,
    /// The index of each pattern by its source.
    by_source: HashMap<String, u32>,
    /// The patterns without a literal, which are always run.
    unfiltered: Vec<u32>,
}

#[derive(Debug)]
struct PatternEntry {
    source: String,
    /// `None` inside for a pattern that is not valid.
    regex: OnceLock<Option<Regex>>,
    candidates: Vec<u32>,
}

impl PatternSet {
    pub(super) fn new(syntax: Syntax) -> Self {
        Self {
            syntax,
            entries: Vec::new(),
            by_source: HashMap::new(),
            unfiltered: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a pattern of a candidate. Returns the folded literals of a new pattern with its index.
    pub(super) fn add(&mut self, candidate: u32, source: &str) -> Vec<(String, u32)> {
        if let Some(index) = self.by_source.get(source) {
            self.entries[*index as usize].candidates.push(candidate);
            return Vec::new();
        }
        let index = self.entries.len() as u32;
        self.by_source.insert(source.to_owned(), index);
        self.entries.push(PatternEntry {
            source: source.to_owned(),
            regex: OnceLock::new(),
            candidates: vec![candidate],
        });
        let literals = match self.syntax {
            Syntax::Regex => required_literals(source),
            Syntax::Glob => glob_to_regex(source)
                .ok()
                .and_then(|regex| required_literals(&regex)),
        };
        match literals {
            Some(literals) => literals
                .into_iter()
                .map(|literal| (literal, index))
                .collect(),
            None => {
                self.unfiltered.push(index);
                Vec::new()
            }
        }
    }

    /// Returns the candidates and sources of the patterns that match a text, in the order in which they were added.
    /// `occurring` has the indexes of patterns whose literal occurs in the text.
    pub(super) fn matching(
        &self,
        mut occurring: Vec<u32>,
        text: &str,
    ) -> impl Iterator<Item = (&[u32], &str)> {
        occurring.extend(&self.unfiltered);
        occurring.sort_unstable();
        occurring.dedup();
        let entries = occurring
            .into_iter()
            .map(|index| &self.entries[index as usize]);
        entries
            .filter(|entry| entry.is_match(text, self.syntax))
            .map(|entry| (&*entry.candidates, &*entry.source))
    }
}

impl PatternEntry {
    fn is_match(&self, text: &str, syntax: Syntax) -> bool {
        let regex = self.regex.get_or_init(|| match syntax {
            Syntax::Regex => compile_pattern(&self.source).ok(),
            Syntax::Glob => compile_glob(&self.source).ok(),
        });
        regex.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}
