//! Matches a request against the names and descriptions of candidates without triggers.

use super::candidate::Candidate;
use crate::selection::text::terms::terms;
use std::collections::HashMap;

/// An index of all candidates' terms.
#[derive(Debug)]
pub(super) struct RelevanceIndex {
    /// The candidates that have each term, and the term's weight in each candidate.
    postings: HashMap<String, Vec<(u32, f32)>>,
    /// The number of candidates.
    total: usize,
}

/// How well a candidate fits a request.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Relevance {
    pub(super) score: f32,
    /// The number of distinct terms in common.
    pub(super) terms: u32,
}

/// The weight of a term in an id or a keyword, compared with 1 for a term in a description.
const NAME_WEIGHT: f32 = 2.0;

/// The minimum score, as a multiple of the score of a term that only one description has. The value was chosen before the
/// questions in `tests/questions` were written, and only 2 of the 120 unrelated questions there select a document.
const MIN_SCORE: f32 = 1.8;

impl Relevance {
    /// Returns whether this match is unlikely to be a coincidence among `total` candidates. One common term is not enough.
    pub(super) fn is_enough(self, total: usize) -> bool {
        self.terms >= 2 && self.score >= MIN_SCORE * rarity(total, 1)
    }
}

impl RelevanceIndex {
    pub(super) fn new(candidates: &[Candidate]) -> Self {
        let mut postings: HashMap<String, Vec<(u32, f32)>> = HashMap::new();
        for (index, candidate) in (0..).zip(candidates) {
            for (term, weight) in weights(candidate) {
                postings.entry(term).or_default().push((index, weight));
            }
        }
        Self {
            postings,
            total: candidates.len(),
        }
    }

    /// Returns the relevance of each candidate that shares a term with the text, by candidate index.
    pub(super) fn relevance(&self, text: &str) -> HashMap<u32, Relevance> {
        let mut found: HashMap<u32, Relevance> = HashMap::new();
        let mut asked = terms(text);
        asked.sort_unstable();
        asked.dedup();
        for term in asked {
            let Some(postings) = self.postings.get(&term) else {
                continue;
            };
            let rarity = rarity(self.total, postings.len());
            for &(candidate, weight) in postings {
                let relevance = found.entry(candidate).or_default();
                relevance.score += weight * rarity;
                relevance.terms += 1;
            }
        }
        found
    }
}

/// Returns a candidate's terms with their weights.
fn weights(candidate: &Candidate) -> HashMap<String, f32> {
    let mut weights = HashMap::new();
    let mut add = |text: &str, weight: f32| {
        for term in terms(text) {
            let known = weights.entry(term).or_insert(weight);
            *known = known.max(weight);
        }
    };
    add(&candidate.description, 1.0);
    add(&candidate.id, NAME_WEIGHT);
    for keyword in candidate.triggers.keywords.iter() {
        add(keyword, NAME_WEIGHT);
    }
    weights
}

/// Returns a term's inverse document frequency, as in BM25.
fn rarity(total: usize, with_term: usize) -> f32 {
    let (total, with_term) = (total as f32, with_term as f32);
    (1.0 + (total - with_term + 0.5) / (with_term + 0.5)).ln()
}
