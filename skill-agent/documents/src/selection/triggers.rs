//! Finds the candidates whose triggers match a request.
//!
//! All words, and the literals of each pattern, are in one automaton. The search time depends on the request and the occurrences,
//! not on the number of candidates.

use super::candidate::Candidate;
use super::patterns::{PatternSet, SearchBudget, Syntax};
use super::query::Query;
use crate::Triggers;
use crate::selection::text::words::{Boundary, fold_case, is_delimited, is_word, normalize};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use serde::Serialize;
use std::collections::HashMap;

/// A part of a request that matches a candidate. Ordered by rank, strongest first.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerMatch<'a> {
    /// The request names the candidate.
    Mention,
    /// A keyword of several words occurs in the request.
    Phrase(&'a str),
    /// A keyword of one word occurs in the request.
    Keyword(&'a str),
    /// A verb occurs in the request.
    Verb(&'a str),
    /// A pattern matches the request.
    Pattern(&'a str),
    /// A glob matches a path in the request.
    Path {
        /// The glob as written.
        glob: &'a str,
        /// The first path that the glob matches.
        path: String,
    },
}

/// The triggers of all candidates.
#[derive(Debug)]
pub(super) struct TriggerIndex {
    /// The automaton for the folded words and the literals of patterns and globs, or `None` if there are none.
    automaton: Option<AhoCorasick>,
    /// The uses of each string in the automaton, by the string's index.
    uses: Vec<Vec<Use>>,
    patterns: PatternSet,
    globs: PatternSet,
}

/// A use of a string in the automaton.
#[derive(Clone, Copy, Debug)]
enum Use {
    /// A candidate's word, after the candidate's index.
    Word(u32, Word),
    /// A literal of the pattern with this index.
    Pattern(u32),
    /// A literal of the glob with this index.
    Glob(u32),
}

/// A candidate's word. Keywords and verbs are given by index.
#[derive(Clone, Copy, Debug)]
enum Word {
    Id,
    Keyword(u32),
    Verb(u32),
}

impl Use {
    /// Returns the kind of word boundary that the string needs, or `None` for a literal of a pattern or glob.
    fn boundary(self) -> Option<Boundary> {
        match self {
            Self::Word(_, Word::Id) => Some(Boundary::Id),
            Self::Word(..) => Some(Boundary::Word),
            Self::Pattern(_) | Self::Glob(_) => None,
        }
    }
}

/// The matches of each matching candidate, by candidate index.
type Matches<'a> = HashMap<u32, Vec<TriggerMatch<'a>>>;

impl TriggerIndex {
    pub(super) fn new(candidates: &[Candidate]) -> Self {
        let mut builder = IndexBuilder {
            texts: HashMap::new(),
            patterns: PatternSet::new(Syntax::Regex),
            globs: PatternSet::new(Syntax::Glob),
        };
        for (index, candidate) in (0..).zip(candidates) {
            builder.add(index, candidate);
        }
        builder.build()
    }

    /// Returns the matches of each matching candidate, strongest first, by candidate index.
    pub(super) fn matches<'a>(
        &'a self,
        candidates: &'a [Candidate],
        query: &Query<'_>,
    ) -> Matches<'a> {
        let mut matches = Matches::new();
        let text = normalize(query.used_text());
        let (mut literals, mut budget) = (Vec::new(), SearchBudget::new());
        for found in self.occurring(&fold_case(&text)) {
            match found {
                Use::Word(index, word) => {
                    let found = word_match(&candidates[index as usize].triggers, word);
                    matches.entry(index).or_default().push(found);
                }
                Use::Pattern(pattern) => literals.push(pattern),
                Use::Glob(_) => {}
            }
        }
        for (candidates, source) in self.patterns.matching(literals, &text, &mut budget) {
            for index in candidates {
                let list = matches.entry(*index).or_default();
                list.push(TriggerMatch::Pattern(source));
            }
        }
        if !self.globs.is_empty() {
            for path in query.used_paths() {
                self.match_path(path, &mut matches, &mut budget);
            }
        }
        for list in matches.values_mut() {
            list.sort();
            list.dedup();
        }
        matches
    }

    fn match_path<'a>(&'a self, path: &str, matches: &mut Matches<'a>, budget: &mut SearchBudget) {
        let path = normalize(&path.replace('\\', "/"));
        let found = self.occurring(&fold_case(&path)).into_iter();
        let literals = found.filter_map(|found| match found {
            Use::Glob(glob) => Some(glob),
            _ => None,
        });
        for (candidates, glob) in self.globs.matching(literals.collect(), &path, budget) {
            for index in candidates {
                let list = matches.entry(*index).or_default();
                let is_known = |found: &TriggerMatch<'_>| matches!(found, TriggerMatch::Path { glob: known, .. } if *known == glob);
                if !list.iter().any(is_known) {
                    let path = path.clone();
                    list.push(TriggerMatch::Path { glob, path });
                }
            }
        }
    }

    /// Returns the uses of the strings that occur in `folded`, without duplicates. A word must have boundaries around it.
    fn occurring(&self, folded: &str) -> Vec<Use> {
        let mut found = Vec::new();
        let Some(automaton) = &self.automaton else {
            return found;
        };
        // for each string: has it been found anywhere, as a word, or as an id
        let mut seen = vec![[false; 3]; self.uses.len()];
        for place in automaton.find_overlapping_iter(folded) {
            let text = place.pattern().as_usize();
            let delimited = |boundary| is_delimited(folded, place.start(), place.end(), boundary);
            for (seen, boundary) in
                seen[text]
                    .iter_mut()
                    .zip([None, Some(Boundary::Word), Some(Boundary::Id)])
            {
                if !*seen && boundary.is_none_or(delimited) {
                    *seen = true;
                    let uses = self.uses[text].iter().copied();
                    found.extend(uses.filter(|found| found.boundary() == boundary));
                }
            }
        }
        found
    }
}

fn word_match(triggers: &Triggers, word: Word) -> TriggerMatch<'_> {
    match word {
        Word::Id => TriggerMatch::Mention,
        Word::Verb(index) => TriggerMatch::Verb(&triggers.verbs[index as usize]),
        Word::Keyword(index) => {
            let keyword = &*triggers.keywords[index as usize];
            if is_phrase(keyword) {
                TriggerMatch::Phrase(keyword)
            } else {
                TriggerMatch::Keyword(keyword)
            }
        }
    }
}

/// Returns whether a keyword consists of several words.
fn is_phrase(keyword: &str) -> bool {
    let mut words = keyword
        .split(|c: char| !is_word(c))
        .filter(|word| !word.is_empty());
    words.nth(1).is_some()
}

struct IndexBuilder {
    texts: HashMap<String, Vec<Use>>,
    patterns: PatternSet,
    globs: PatternSet,
}

impl IndexBuilder {
    fn add(&mut self, index: u32, candidate: &Candidate) {
        let id = &*candidate.id;
        self.word(id, Use::Word(index, Word::Id));
        let spaced = id.replace(['-', '_'], " ");
        if spaced != id {
            self.word(&spaced, Use::Word(index, Word::Id));
        }
        let triggers = &candidate.triggers;
        for (at, keyword) in (0..).zip(triggers.keywords.iter()) {
            self.word(keyword, Use::Word(index, Word::Keyword(at)));
        }
        for (at, verb) in (0..).zip(triggers.verbs.iter()) {
            self.word(verb, Use::Word(index, Word::Verb(at)));
        }
        for pattern in triggers.patterns.iter() {
            for (literal, pattern) in self.patterns.add(index, pattern) {
                self.text(literal, Use::Pattern(pattern));
            }
        }
        for glob in triggers.paths.iter() {
            for (literal, glob) in self.globs.add(index, glob) {
                self.text(literal, Use::Glob(glob));
            }
        }
    }

    fn text(&mut self, text: String, used: Use) {
        self.texts.entry(text).or_default().push(used);
    }

    fn word(&mut self, word: &str, used: Use) {
        let word = fold_case(&normalize(word.trim()));
        if !word.is_empty() {
            self.text(word, used);
        }
    }

    fn build(self) -> TriggerIndex {
        let (texts, uses): (Vec<String>, Vec<Vec<Use>>) = self.texts.into_iter().unzip();
        // fails only if the strings do not fit into memory
        let automaton = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&texts)
            .ok()
            .filter(|_| !texts.is_empty());
        TriggerIndex {
            automaton,
            uses,
            patterns: self.patterns,
            globs: self.globs,
        }
    }
}

#[cfg(test)]
mod tests;
