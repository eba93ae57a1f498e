//! Ranks matches.

use super::activations::Activations;
use super::candidate::Candidate;
use super::relevance::Relevance;
use super::result::SelectionReason;
use super::triggers::TriggerMatch;
use std::cmp::Reverse;
use std::collections::HashMap;

/// A candidate that matches a request.
#[derive(Debug)]
pub(super) struct Ranked<'a> {
    pub(super) index: u32,
    pub(super) matches: Vec<TriggerMatch<'a>>,
    pub(super) reason: SelectionReason,
}

/// Sorts the matches: candidates that the request names come first, then phrases, other triggers and descriptions. Equal matches
/// are sorted by most recent use, then by the relevance of the description, then by the order of declaration.
pub(super) fn ranked<'a>(
    candidates: &[Candidate],
    mut matches: HashMap<u32, Vec<TriggerMatch<'a>>>,
    relevance: &HashMap<u32, Relevance>,
    activations: &Activations,
) -> Vec<Ranked<'a>> {
    let mut indexes: Vec<u32> = matches
        .keys()
        .copied()
        .chain(relevance.keys().copied())
        .collect();
    indexes.sort_unstable();
    indexes.dedup();
    let mut found: Vec<_> = indexes
        .into_iter()
        .map(|index| {
            let matches = matches.remove(&index).unwrap_or_default();
            let score = relevance
                .get(&index)
                .map_or(0.0, |relevance| relevance.score);
            let reason = if matches.is_empty() {
                SelectionReason::Described { score }
            } else {
                SelectionReason::Matched
            };
            let since = activations.turns_since_use(&candidates[index as usize].id);
            let rank = (
                strength(&matches),
                since.unwrap_or(u64::MAX),
                Reverse(Score(score)),
                index,
            );
            (
                rank,
                Ranked {
                    index,
                    matches,
                    reason,
                },
            )
        })
        .collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, ranked)| ranked).collect()
}

/// Returns the rank of the strongest match.
fn strength(matches: &[TriggerMatch<'_>]) -> u8 {
    match matches.first() {
        Some(TriggerMatch::Mention) => 0,
        Some(TriggerMatch::Phrase(_)) => 1,
        Some(_) => 2,
        None => 3,
    }
}

/// A score with a total order, for sorting.
#[derive(Clone, Copy, Debug)]
struct Score(f32);

impl PartialEq for Score {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
