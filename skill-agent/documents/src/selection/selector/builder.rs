//! Builds a selection: takes candidates until the maximum number or the budget is reached, and records why the others are left
//! out.

use super::super::activations::Activations;
use super::super::candidate::{Candidate, Exposure};
use super::super::intent::Intent;
use super::super::listing::{Detail, details};
use super::super::policy::SelectionPolicy;
use super::super::query::Query;
use super::super::rank::Ranked;
use super::super::result::{
    LeftOut, LeftOutReason, SelectedItem, Selection, SelectionReason, Tier,
};
use super::super::triggers::TriggerMatch;
use super::super::{bytes, tokens};
use super::{Descriptions, Selector};
use crate::escape;
use crate::selection::text::words::{fold_case, normalize};
use std::collections::HashMap;

/// A selection under construction.
pub(super) struct SelectionBuilder<'a, 'p> {
    selector: &'a Selector,
    activations: &'p Activations,
    policy: &'p SelectionPolicy,
    tier: Tier,
    items: Vec<SelectedItem<'a>>,
    /// The reasons why candidates are left out, without entries for candidates that have no match.
    reasons: HashMap<u32, (LeftOutReason<'a>, Vec<TriggerMatch<'a>>)>,
    taken: Vec<bool>,
    /// The budget left, in tokens.
    left: usize,
}

impl<'a, 'p> SelectionBuilder<'a, 'p> {
    pub(super) fn new(
        selector: &'a Selector,
        activations: &'p Activations,
        policy: &'p SelectionPolicy,
    ) -> Self {
        Self {
            selector,
            activations,
            policy,
            tier: Tier::Nothing,
            items: Vec::new(),
            reasons: HashMap::new(),
            taken: vec![false; selector.candidates.len()],
            left: policy.budget,
        }
    }

    /// Selects a tier by the intent of the request and by its matches.
    pub(super) fn tiers(&mut self, query: &Query<'_>) {
        self.take_pinned_and_active();
        let folded = fold_case(&normalize(query.used_text()));
        match Intent::of(&folded, &self.policy.questions) {
            Some(Intent::Registry) => return self.list(),
            Some(Intent::All) => return self.take_all(),
            None => {}
        }
        let descriptions = if self.policy.match_descriptions {
            Descriptions::Relevant
        } else {
            Descriptions::Ignored
        };
        let ranked = self.selector.ranked(query, self.activations, descriptions);
        let (before, matched) = (self.items.len(), !ranked.is_empty());
        for found in ranked {
            self.take_match(found, before);
        }
        let mut listed = self
            .selector
            .candidates
            .iter()
            .filter(|candidate| is_listed(candidate));
        if self.items.len() > before || matched && self.items.iter().any(is_matched) {
            self.tier = Tier::Full;
        } else if !matched && listed.any(Candidate::has_triggers) {
            self.tier = Tier::Breadcrumb;
        } else {
            // there are no triggers, or none of the matches fits into the budget
            self.list();
        }
    }

    /// Takes pinned candidates, then active ones.
    fn take_pinned_and_active(&mut self) {
        let pinned = |candidate: &Candidate| candidate.exposure == Exposure::Pinned;
        for (index, candidate) in (0..).zip(&self.selector.candidates) {
            if pinned(candidate) {
                self.take_full(index, SelectionReason::Pinned, Vec::new());
            }
        }
        for id in self.activations.active() {
            if let Some(&index) = self.selector.by_id.get(id) {
                self.take_full(index, SelectionReason::Active, Vec::new());
            }
        }
    }

    /// Takes as many candidates in full as the policy allows. If none fits, lists the candidates.
    fn take_all(&mut self) {
        let (before, max) = (self.items.len(), self.policy.max_all);
        for (index, candidate) in (0..).zip(&self.selector.candidates) {
            if !is_listed(candidate) || self.taken[index as usize] {
                continue;
            }
            if self.items.len() - before >= max {
                let reason = LeftOutReason::OverCount { max };
                self.reasons.insert(index, (reason, Vec::new()));
            } else {
                self.take_full(index, SelectionReason::AllRequested, Vec::new());
            }
        }
        if self.items.len() == before {
            self.list();
        }
    }

    /// Takes a match unless the maximum number or the budget is exceeded. `before` is the number of earlier items. They do not
    /// count toward the maximum number.
    fn take_match(&mut self, found: Ranked<'a>, before: usize) {
        let Ranked {
            index,
            matches,
            reason,
        } = found;
        if self.taken[index as usize] {
            let id = &self.selector.candidates[index as usize].id;
            if let Some(item) = self.items.iter_mut().find(|item| item.candidate.id == *id) {
                item.matches = matches;
            }
            return;
        }
        let max = self.policy.max_skills;
        if self.items.len() - before >= max {
            self.reasons
                .insert(index, (LeftOutReason::OverCount { max }, matches));
        } else {
            self.take_full(index, reason, matches);
        }
    }

    /// Takes a candidate's full text if it fits into the budget.
    fn take_full(&mut self, index: u32, reason: SelectionReason, matches: Vec<TriggerMatch<'a>>) {
        if self.taken[index as usize] {
            return;
        }
        let candidate = &self.selector.candidates[index as usize];
        let tokens = candidate.tokens();
        match self.left.checked_sub(tokens) {
            Some(left) => {
                self.left = left;
                self.taken[index as usize] = true;
                self.items.push(SelectedItem {
                    candidate,
                    tier: Tier::Full,
                    has_description: true,
                    reason,
                    matches,
                });
            }
            None => {
                let left = self.left;
                self.reasons
                    .insert(index, (LeftOutReason::OverBudget { tokens, left }, matches));
            }
        }
    }

    /// Lists as many candidates as the budget allows, pinned ones first.
    pub(super) fn list(&mut self) {
        let candidates = (0..).zip(&self.selector.candidates);
        let listed = candidates
            .filter(|(index, candidate)| is_listed(candidate) && !self.taken[*index as usize]);
        let mut listed: Vec<(u32, &Candidate)> = listed.collect();
        if listed.is_empty() {
            return;
        }
        listed.sort_by_key(|(_, candidate)| candidate.exposure != Exposure::Pinned);
        self.tier = Tier::Registry;
        let room = bytes(self.left).saturating_sub(LIST_FRAME_BYTES);
        let details = details(listed.len(), room, |entry, detail| {
            list_bytes(listed[entry].1, detail)
        });
        let used = listed
            .iter()
            .zip(&details)
            .map(|((_, candidate), detail)| list_bytes(candidate, *detail));
        self.left = self
            .left
            .saturating_sub(tokens(LIST_FRAME_BYTES + used.sum::<usize>()));
        for ((index, candidate), detail) in listed.into_iter().zip(details) {
            if detail == Detail::Omitted {
                let tokens = tokens(list_bytes(candidate, Detail::Name));
                let left = self.left;
                let reason = LeftOutReason::OverBudget { tokens, left };
                let reason = (reason, Vec::new());
                self.reasons.entry(index).or_insert(reason);
                continue;
            }
            self.taken[index as usize] = true;
            let reason = if self.activations.is_active(&candidate.id) {
                SelectionReason::Active
            } else {
                SelectionReason::Listed
            };
            self.items.push(SelectedItem {
                candidate,
                tier: Tier::Registry,
                has_description: detail != Detail::Name && candidate.exposure != Exposure::NameOnly,
                reason,
                matches: Vec::new(),
            });
        }
    }

    /// If the request is a candidate's id, takes that candidate. Otherwise, lists all candidates.
    pub(super) fn requested(&mut self, query: &Query<'_>) {
        let id = query.text.trim();
        let Some(&index) = self.selector.by_id.get(id) else {
            return self.list();
        };
        self.tier = Tier::Full;
        let is_known = |active: &str| self.selector.by_id.contains_key(active);
        let other = self.activations.other_active(id, self.policy, is_known);
        match other.and_then(|other| self.selector.get(other)) {
            Some(other) => {
                let reason = LeftOutReason::OtherActive { active: &other.id };
                self.reasons.insert(index, (reason, Vec::new()));
            }
            None => self.take_full(index, SelectionReason::Requested, Vec::new()),
        }
    }

    pub(super) fn finish(mut self) -> Selection<'a> {
        let candidates = &self.selector.candidates;
        if self.tier == Tier::Nothing && !self.items.is_empty() {
            // all items are shown in full: all candidates, or the pinned and active ones
            self.tier = Tier::Full;
        }
        let mut left_out = Vec::new();
        for (index, candidate) in (0..).zip(candidates) {
            if self.taken[index as usize] {
                continue;
            }
            let (reason, matches) = self.reasons.remove(&index).unwrap_or_else(|| {
                let reason = match candidate.exposure {
                    Exposure::Manual => LeftOutReason::Manual,
                    _ => LeftOutReason::NoMatch,
                };
                (reason, Vec::new())
            });
            left_out.push(LeftOut {
                candidate,
                reason,
                matches,
            });
        }
        let total = candidates
            .iter()
            .filter(|candidate| is_listed(candidate))
            .count();
        Selection {
            tier: self.tier,
            total,
            budget: self.policy.budget,
            items: self.items,
            left_out,
            path_of_another_form: None,
        }
    }
}

fn is_matched(item: &SelectedItem<'_>) -> bool {
    !item.matches.is_empty()
}

/// Returns whether the candidate may be shown for a request that does not name it.
fn is_listed(candidate: &Candidate) -> bool {
    candidate.exposure != Exposure::Manual
}

/// The size of the registry's heading and of the line with the number of shown documents, in bytes.
const LIST_FRAME_BYTES: usize = 96;

/// Returns the size of a registry line, in bytes.
fn list_bytes(candidate: &Candidate, detail: Detail) -> usize {
    const FRAME: usize = "- **: **\n".len();
    let name = || FRAME + escape::attribute(&candidate.id).len();
    let brief =
        || escape::description(&candidate.brief_description, escape::MAX_DESCRIPTION_LENGTH).len();
    match detail {
        Detail::Omitted => 0,
        Detail::Name => name(),
        _ if candidate.exposure == Exposure::NameOnly => name(),
        // a registry contains only brief descriptions
        Detail::Full | Detail::Cut(_) | Detail::Brief => name() + brief(),
    }
}
