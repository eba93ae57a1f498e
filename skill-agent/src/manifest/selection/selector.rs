//! Selects candidates for a request.

use super::activations::Activations;
use super::candidate::{Candidate, Exposure};
use super::intent::Intent;
use super::listing::{Detail, details};
use super::policy::{Disclosure, SelectionPolicy};
use super::query::Query;
use super::rank::{Ranked, ranked};
use super::relevance::RelevanceIndex;
use super::result::{LeftOut, LeftOutReason, SelectedItem, Selection, SelectionReason, Tier};
use super::tokens::{bytes, tokens};
use super::triggers::{TriggerIndex, TriggerMatch};
use super::words::{fold_case, normalize};
use crate::manifest::escape;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Candidates, with the indexes to select from them. Immutable and shared; a selection depends on its arguments alone.
///
/// ```
/// use skill_agent::manifest::selection::{
///     Activations, Candidate, CandidateKind, SelectionPolicy, Selector, Tier,
/// };
///
/// let mut greet = Candidate::new(CandidateKind::Document, "greet", "Greets people.");
/// greet.triggers.keywords = vec!["hello".into()].into();
/// let selector = Selector::new([greet, Candidate::new(CandidateKind::Document, "weather", "The weather.")]);
///
/// let none = Activations::default();
/// let selection = selector.select(&"Say hello in French".into(), &none, &SelectionPolicy::TIERS);
/// assert_eq!(selection.tier, Tier::Full);
/// assert_eq!(selection.items[0].candidate.id, "greet");
/// assert_eq!(selection.items[0].matches[0].to_string(), "keyword `hello`");
/// assert_eq!(selection.left_out[0].reason.to_string(), "no match");
/// ```
#[derive(Debug)]
pub struct Selector {
    candidates: Vec<Candidate>,
    by_id: HashMap<String, u32>,
    // both are built on first use: a program that only lists documents needs neither
    triggers: OnceLock<TriggerIndex>,
    relevance: OnceLock<RelevanceIndex>,
}

impl Selector {
    /// Creates a selector. The order of the candidates decides between those of equal rank. Of several with one id, the first
    /// counts.
    #[must_use]
    pub fn new(candidates: impl IntoIterator<Item = Candidate>) -> Self {
        let mut by_id = HashMap::new();
        let mut list: Vec<Candidate> = Vec::new();
        for candidate in candidates {
            let index = list.len() as u32;
            by_id.entry(candidate.id.to_string()).or_insert_with(|| {
                list.push(candidate);
                index
            });
        }
        Self {
            candidates: list,
            by_id,
            triggers: OnceLock::new(),
            relevance: OnceLock::new(),
        }
    }

    /// Returns the candidates, in order.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Returns the candidate with an id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Candidate> {
        self.by_id
            .get(id)
            .map(|index| &self.candidates[*index as usize])
    }

    /// Selects what a model is shown for a request. The same arguments give the same selection.
    #[must_use]
    pub fn select<'a>(
        &'a self,
        query: &Query<'_>,
        activations: &'a Activations,
        policy: &SelectionPolicy,
    ) -> Selection<'a> {
        let mut builder = SelectionBuilder::new(self, activations, policy);
        match policy.disclosure {
            Disclosure::LazyTool => builder.list(),
            Disclosure::Index => builder.requested(query),
            Disclosure::Tiers => builder.tiers(query),
        }
        builder.finish()
    }

    /// Returns what matches a search by triggers, names and descriptions, the best first. It need not have much in common with the
    /// text, since somebody asks for it.
    pub fn search(&self, text: &str) -> impl Iterator<Item = &Candidate> {
        let found = self.ranked(
            &Query::new(text),
            &Activations::default(),
            Descriptions::Any,
        );
        let candidates = found
            .into_iter()
            .map(|found| &self.candidates[found.index as usize]);
        candidates.filter(|candidate| candidate.exposure != Exposure::Manual)
    }

    fn ranked<'a>(
        &'a self,
        query: &Query<'_>,
        activations: &Activations,
        descriptions: Descriptions,
    ) -> Vec<Ranked<'a>> {
        let triggers = self
            .triggers
            .get_or_init(|| TriggerIndex::new(&self.candidates));
        let matches = triggers.matches(&self.candidates, query);
        let mut relevance = HashMap::new();
        if descriptions != Descriptions::Ignored {
            let index = self
                .relevance
                .get_or_init(|| RelevanceIndex::new(&self.candidates));
            relevance = index.relevance(query.used_text());
        }
        if descriptions == Descriptions::Relevant {
            relevance.retain(|index, relevance| {
                let candidate = &self.candidates[*index as usize];
                !candidate.has_triggers() && relevance.is_enough(self.candidates.len())
            });
        }
        let mut found = ranked(&self.candidates, matches, &relevance, activations);
        found.retain(|found| {
            let is_manual = self.candidates[found.index as usize].exposure == Exposure::Manual;
            !is_manual || found.matches.first() == Some(&TriggerMatch::Mention)
        });
        found
    }
}

/// Which candidates match by their names and descriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Descriptions {
    /// None.
    Ignored,
    /// Those without triggers that have enough in common with the request.
    Relevant,
    /// Those with anything in common.
    Any,
}

/// A selection that is being made.
struct SelectionBuilder<'a, 'p> {
    selector: &'a Selector,
    activations: &'a Activations,
    policy: &'p SelectionPolicy,
    tier: Tier,
    items: Vec<SelectedItem<'a>>,
    /// The reasons of candidates that are left out for another reason than that nothing matches.
    reasons: HashMap<u32, (LeftOutReason<'a>, Vec<TriggerMatch<'a>>)>,
    taken: Vec<bool>,
    /// The tokens that are left of the budget.
    left: usize,
}

impl<'a, 'p> SelectionBuilder<'a, 'p> {
    fn new(
        selector: &'a Selector,
        activations: &'a Activations,
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

    /// Tiers by what the request asks for, and by what matches it.
    fn tiers(&mut self, query: &Query<'_>) {
        self.take_pinned_and_active();
        match Intent::of(&fold_case(&normalize(query.used_text()))) {
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
            // nothing has triggers, or no match fits into the budget
            self.list();
        }
    }

    /// Takes what is pinned, then what is active.
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

    /// Takes as many full texts as the policy allows, or lists them if none fits.
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

    /// Takes a match if the number and the budget allow it. `before` is the number of items that do not count.
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

    /// Takes the full text of a candidate, if it fits into the budget.
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

    /// Lists the candidates, pinned ones first, as many as the budget allows.
    fn list(&mut self) {
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

    /// Takes the one that the request names exactly, else lists all.
    fn requested(&mut self, query: &Query<'_>) {
        let id = query.text.trim();
        let Some(&index) = self.selector.by_id.get(id) else {
            return self.list();
        };
        self.tier = Tier::Full;
        let is_known = |active: &str| self.selector.by_id.contains_key(active);
        match self.activations.other_active(id, self.policy, is_known) {
            Some(active) => {
                let reason = LeftOutReason::OtherActive { active };
                self.reasons.insert(index, (reason, Vec::new()));
            }
            None => self.take_full(index, SelectionReason::Requested, Vec::new()),
        }
    }

    fn finish(mut self) -> Selection<'a> {
        let candidates = &self.selector.candidates;
        if self.tier == Tier::Nothing && !self.items.is_empty() {
            // full texts alone: all that there are, or what is pinned and active
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
        }
    }
}

fn is_matched(item: &SelectedItem<'_>) -> bool {
    !item.matches.is_empty()
}

/// Whether a request may get it without naming it.
fn is_listed(candidate: &Candidate) -> bool {
    candidate.exposure != Exposure::Manual
}

/// The heading of the registry, and the line with the number of those that are shown.
const LIST_FRAME_BYTES: usize = 96;

/// The bytes of a line of the registry.
fn list_bytes(candidate: &Candidate, detail: Detail) -> usize {
    const FRAME: usize = "- **: **\n".len();
    let name = || FRAME + escape::attribute(&candidate.id).len();
    let brief =
        || escape::description(&candidate.brief_description, escape::MAX_DESCRIPTION_LENGTH).len();
    match detail {
        Detail::Omitted => 0,
        Detail::Name => name(),
        _ if candidate.exposure == Exposure::NameOnly => name(),
        // a registry has brief descriptions
        Detail::Full | Detail::Cut(_) | Detail::Brief => name() + brief(),
    }
}
