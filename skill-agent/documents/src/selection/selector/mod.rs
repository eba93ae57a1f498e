//! Selects candidates for a request.

mod builder;

use super::activations::Activations;
use super::candidate::{Candidate, Exposure};
use super::policy::{Disclosure, SelectionPolicy};
use super::query::Query;
use super::rank::{Ranked, ranked};
use super::relevance::RelevanceIndex;
use super::result::Selection;
use super::triggers::{TriggerIndex, TriggerMatch};
use builder::SelectionBuilder;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Candidates with their search indexes. They are immutable and shared by clones, so a selection depends only on its arguments.
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
    // built on first use, because a program that only lists documents needs neither of them
    triggers: OnceLock<TriggerIndex>,
    relevance: OnceLock<RelevanceIndex>,
}

impl Selector {
    /// Creates a selector. The order of the candidates breaks ties. If several candidates have the same id, the first one is used.
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

    /// Returns the candidates in order.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Returns the candidate with the given id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Candidate> {
        self.by_id
            .get(id)
            .map(|index| &self.candidates[*index as usize])
    }

    /// Selects the candidates to show to a model for a request. The same arguments always return the same selection.
    #[must_use]
    pub fn select<'a>(
        &'a self,
        query: &Query<'_>,
        activations: &Activations,
        policy: &SelectionPolicy,
    ) -> Selection<'a> {
        let mut builder = SelectionBuilder::new(self, activations, policy);
        match policy.disclosure {
            Disclosure::LazyTool => builder.list(),
            Disclosure::Index => builder.requested(query),
            Disclosure::Tiers => builder.tiers(query),
        }
        Selection {
            path_of_another_form: query.path_of_another_form().map(str::to_owned),
            ..builder.finish()
        }
    }

    /// Searches triggers, names and descriptions, and returns the best matches first. One common term is enough for a match.
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

/// Which candidates to match by name and description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Descriptions {
    /// No candidates.
    Ignored,
    /// Only candidates that have no triggers and share enough terms with the request.
    Relevant,
    /// All candidates that share a term with the request.
    Any,
}
