//! Compiles patterns on first use and runs them only if one of their literals occurs.

use crate::selection::text::literal::required_literals;
use crate::selection::text::words::normalize;
use regex_lite::Regex;
use skill_manifest::__private::{compile_glob, compile_pattern, glob_to_regex};
use std::collections::HashMap;
use std::sync::OnceLock;

/// The maximum number of bytes that all patterns and globs together may search in one selection. A single search takes linear
/// time, and the size of a pattern is limited. This limit on the total keeps a catalog of hostile patterns from delaying a
/// request.
const MAX_SEARCHED: usize = 1 << 20;

/// The remaining part of [`MAX_SEARCHED`] in a selection, in bytes.
#[derive(Debug)]
pub(super) struct SearchBudget(usize);

impl SearchBudget {
    pub(super) const fn new() -> Self {
        Self(MAX_SEARCHED)
    }

    /// Spends the budget for one search of the text. Returns `false` if the budget is exhausted.
    fn take(&mut self, text: &str) -> bool {
        let left = self.0.checked_sub(text.len().max(1));
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// The syntax of a set's patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// Regular expressions, for the text of a request.
    Regex,
    /// Globs, for paths.
    Glob,
}

/// Patterns, each with the candidates that have it.
#[derive(Debug)]
pub(super) struct PatternSet {
    syntax: Syntax,
    entries: Vec<PatternEntry>,
    /// The index of each pattern, by the pattern's source.
    by_source: HashMap<String, u32>,
    /// The patterns without a literal, which always run.
    unfiltered: Vec<u32>,
}

#[derive(Debug)]
struct PatternEntry {
    /// The pattern as written.
    source: String,
    /// The pattern, normalized like the text to search.
    normalized: String,
    /// The compiled pattern, created on first use. The inner `None` means that the pattern is invalid.
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

    /// Adds a candidate's pattern. Returns the folded literals of a new pattern, each with the pattern's index.
    pub(super) fn add(&mut self, candidate: u32, source: &str) -> Vec<(String, u32)> {
        if let Some(index) = self.by_source.get(source) {
            self.entries[*index as usize].candidates.push(candidate);
            return Vec::new();
        }
        let index = self.entries.len() as u32;
        self.by_source.insert(source.to_owned(), index);
        self.entries.push(PatternEntry {
            source: source.to_owned(),
            normalized: normalize(source),
            regex: OnceLock::new(),
            candidates: vec![candidate],
        });
        let normalized = &self.entries[index as usize].normalized;
        let literals = match self.syntax {
            Syntax::Regex => required_literals(normalized),
            Syntax::Glob => glob_to_regex(normalized)
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

    /// Returns the candidates and sources of the patterns that match `text`, in the order in which they were added. `occurring`
    /// contains the indexes of patterns with a literal in the text. Once the budget is exhausted, patterns count as not matching.
    pub(super) fn matching(
        &self,
        mut occurring: Vec<u32>,
        text: &str,
        budget: &mut SearchBudget,
    ) -> impl Iterator<Item = (&[u32], &str)> {
        occurring.extend(&self.unfiltered);
        occurring.sort_unstable();
        occurring.dedup();
        let entries = occurring
            .into_iter()
            .map(|index| &self.entries[index as usize]);
        entries
            .filter(move |entry| budget.take(text) && entry.is_match(text, self.syntax))
            .map(|entry| (&*entry.candidates, &*entry.source))
    }
}

impl PatternEntry {
    fn is_match(&self, text: &str, syntax: Syntax) -> bool {
        let regex = self.regex.get_or_init(|| match syntax {
            Syntax::Regex => compile_pattern(&self.normalized).ok(),
            Syntax::Glob => compile_glob(&self.normalized).ok(),
        });
        regex.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}
