//! Checks whether one schema accepts every value of another, and finds where it does not.

use super::Role;
use super::difference::{Difference, What, shown};
use super::expand::{Alternatives, MOST_LEVELS, are_disjoint, expand};
use super::keywords::accepts;
use super::shape::{All, Alternative, Kind, is_anything, same};
use crate::version::state_section;
use serde_json::Value;
use std::collections::{HashSet, VecDeque};
use std::mem;

/// The maximum number of schema pairs to compare, because nested choices could multiply the pairs.
const MOST_STEPS: usize = 20_000;

/// The addresses of the schemas on both sides, and the state key for which they are compared. If several owners in the state
/// share a type, the differences are reported for each of them.
type Pair = (String, Vec<*const Value>, Vec<*const Value>);

/// A comparison of two schemas in one direction.
pub(super) struct Comparison<'s> {
    pub(super) role: Role,
    /// Whether the first schema is the old one.
    pub(super) first_is_old: bool,
    pub(super) path: String,
    pub(super) found: Vec<Difference>,
    /// The pairs that have been or are being compared, so that recursive types end. A pair within itself is assumed to fit,
    /// because the outer comparison notices if it does not.
    assumed: HashSet<Pair>,
    /// The same pairs in order of comparison, so that an attempt can be undone.
    order: Vec<Pair>,
    /// The number of differences at which the current attempt counts as failed.
    most_found: usize,
    /// The parts that are still to be compared. Parts near the root come first, so that a difference is reported with its
    /// shortest path.
    waiting: VecDeque<Part<'s>>,
    steps: usize,
}

/// The schemas of both sides at a path.
struct Part<'s> {
    path: String,
    first: All<'s>,
    second: All<'s>,
}

impl<'s> Comparison<'s> {
    pub(super) fn new(role: Role, first_is_old: bool) -> Self {
        Self {
            role,
            first_is_old,
            path: String::new(),
            found: Vec::new(),
            assumed: HashSet::new(),
            order: Vec::new(),
            most_found: usize::MAX,
            waiting: VecDeque::new(),
            steps: MOST_STEPS,
        }
    }

    pub(super) fn push(&mut self, what: What) {
        let path = self.path.clone();
        self.found.push(Difference { path, what });
    }

    /// Compares parts with a step appended to the path.
    pub(super) fn below(&mut self, step: &str, compare: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push_str(step);
        compare(self);
        self.path.truncate(length);
    }

    /// Queues a comparison for [`run`](Self::run). It finds values that all first schemas accept but not all second ones.
    pub(super) fn compare(&mut self, first: &All<'s>, second: &All<'s>) {
        self.waiting.push_back(Part {
            path: self.path.clone(),
            first: first.clone(),
            second: second.clone(),
        });
    }

    /// Runs all queued comparisons.
    pub(super) fn run(&mut self) {
        let path = self.path.clone();
        while let Some(part) = self.waiting.pop_front() {
            if self.found.len() >= self.most_found {
                break;
            }
            self.path = part.path;
            self.part(&part.first, &part.second);
        }
        self.path = path;
    }

    fn part(&mut self, first: &All<'s>, second: &All<'s>) {
        if !self.takes_step() {
            return self.push(What::Unknown("the schema is too large"));
        }
        let addresses = |all: &All<'_>| {
            all.iter()
                .map(|node| std::ptr::from_ref(node.value()))
                .collect()
        };
        if is_anything(second) {
            return;
        }
        let section = match self.role {
            Role::State => state_section(&self.path),
            _ => "",
        };
        let pair = (section.to_owned(), addresses(first), addresses(second));
        if !self.assumed.insert(pair.clone()) {
            return;
        }
        self.order.push(pair);
        if let ([one], [other]) = (&first[..], &second[..])
            && same(one.value(), *one, other.value(), *other)
        {
            return;
        }
        match (expand(first), expand(second)) {
            (Ok(first), Ok(second)) if !second.may_overlap => self.alternatives(&first, &second),
            (Ok(_), Ok(_)) => self.push(What::Unknown("branches of its `oneOf` may overlap")),
            (Err(reason), _) | (_, Err(reason)) => self.push(What::Unknown(reason)),
        }
    }

    /// Takes one of the limited number of steps. Returns `false` if no step is left.
    fn takes_step(&mut self) -> bool {
        let is_left = self.steps > 0;
        self.steps = self.steps.saturating_sub(1);
        is_left
    }

    /// Returns whether the remaining steps are enough to show that every value of the first schema fits the second. Stops at the
    /// first difference, and records no differences.
    pub(super) fn holds(&mut self, compare: impl FnOnce(&mut Self)) -> bool {
        if !self.takes_step() {
            return false;
        }
        let (found, compared) = (self.found.len(), self.order.len());
        let waiting = mem::take(&mut self.waiting);
        let most_found = mem::replace(&mut self.most_found, found + 1);
        compare(self);
        self.run();
        self.most_found = most_found;
        self.waiting = waiting;
        let holds = self.found.len() == found;
        if !holds {
            self.found.truncate(found);
            // also forget the pairs that relied on the failed one
            for pair in self.order.drain(compared..) {
                self.assumed.remove(&pair);
            }
        }
        holds
    }

    fn alternatives(&mut self, first: &Alternatives<'s>, second: &Alternatives<'s>) {
        let mut lost = Vec::new();
        let mut has_lost_type = false;
        for alternative in &first.list {
            let same_kind = |other: &&Alternative<'s>| other.kind == alternative.kind;
            let candidates: Vec<_> = second.list.iter().filter(same_kind).collect();
            if candidates.is_empty() {
                has_lost_type = true;
            } else if let Some(values) = &alternative.listed {
                self.values(alternative, values.values(), &candidates, &mut lost);
            } else {
                let siblings: Vec<_> = first.list.iter().filter(same_kind).collect();
                self.candidates(alternative, &candidates, &siblings, &mut lost);
            }
        }
        lost.dedup();
        if has_lost_type {
            self.push(What::Types(types(first), types(second)));
        }
        if !lost.is_empty() {
            self.push(What::Values(lost));
        }
    }

    /// Compares listed values with the alternatives of their type.
    fn values(
        &mut self,
        alternative: &Alternative<'_>,
        values: &[&Value],
        candidates: &[&Alternative<'_>],
        lost: &mut Vec<String>,
    ) {
        for value in values {
            let verdict = |candidate: &&Alternative<'_>| {
                let is_known = |opaque| alternative.opaque.iter().any(|own| own.is(opaque));
                let is_compared =
                    candidate.inexact.is_none() && candidate.opaque.iter().all(is_known);
                let accepted = accepts(candidate, value);
                accepted.filter(|is_accepted| is_compared || !is_accepted)
            };
            let verdicts: Vec<_> = candidates.iter().map(verdict).collect();
            if verdicts.contains(&Some(true)) {
                continue;
            }
            if verdicts.contains(&None) {
                self.push(What::Unknown("a listed value may not fit the other schema"));
                return;
            }
            lost.push(shown(value));
        }
    }

    /// Compares an alternative with the alternatives of its type on the other side. `siblings` contains all alternatives of this
    /// type on its own side.
    fn candidates(
        &mut self,
        alternative: &Alternative<'s>,
        candidates: &[&Alternative<'s>],
        siblings: &[&Alternative<'s>],
        lost: &mut Vec<String>,
    ) {
        if let ([candidate], [_]) = (candidates, siblings) {
            return self.one(alternative, candidate);
        }
        // try the variant with the same name first
        let label = alternative.label();
        let has_label =
            |candidate: &&&Alternative<'_>| label.is_some() && candidate.label() == label;
        let (alike, others): (Vec<_>, Vec<_>) = candidates.iter().partition(has_label);
        for candidate in alike.into_iter().chain(others) {
            if self.holds(|this| this.one(alternative, candidate)) {
                return;
            }
        }
        match self.counterpart(alternative, candidates, siblings) {
            Ok(candidate) => self.one(alternative, candidate),
            Err(true) => lost.push(alternative.name()),
            Err(false) => self.push(What::Unknown(
                "no single branch of the other schema allows a branch of this one",
            )),
        }
    }

    /// Returns the alternative on the other side that corresponds to a changed one. On failure, returns whether it is certain
    /// that there is no such alternative.
    fn counterpart<'a>(
        &mut self,
        alternative: &Alternative<'s>,
        candidates: &[&'a Alternative<'s>],
        siblings: &[&Alternative<'s>],
    ) -> Result<&'a Alternative<'s>, bool> {
        let label = alternative.label();
        let mut near = Vec::new();
        for candidate in candidates {
            if !self.takes_step() {
                return Err(false);
            }
            let is_near = match &label {
                Some(label) => candidate.label().as_ref() == Some(label),
                None => {
                    let is_taken = |sibling: &&Alternative<'s>| {
                        self.holds(|this| this.one(sibling, candidate))
                    };
                    !are_disjoint(alternative, candidate, MOST_LEVELS)
                        && !siblings.iter().any(is_taken)
                }
            };
            if is_near {
                near.push(*candidate);
            }
        }
        match near[..] {
            [candidate] => Ok(candidate),
            _ => Err(near.is_empty()),
        }
    }

    /// Compares two alternatives of the same type.
    fn one(&mut self, first: &Alternative<'s>, second: &Alternative<'s>) {
        if let Some(reason) = first.inexact.or(second.inexact) {
            return self.push(What::Unknown(reason));
        }
        if first.listed.is_none()
            && let Some(listed) = &second.listed
        {
            let values: Vec<_> = listed
                .values()
                .iter()
                .map(|value| format!("`{}`", shown(value)))
                .collect();
            self.push(What::Listed(values.join(", ")));
        }
        for opaque in &second.opaque {
            if !first.opaque.iter().any(|own| own.is(opaque)) {
                let own = first
                    .opaque
                    .iter()
                    .find(|own| own.keyword == opaque.keyword);
                self.push(What::Keyword {
                    keyword: opaque.keyword.to_owned(),
                    first: own.map(|own| format!("`{}`", shown(own.value))),
                    second: format!("`{}`", shown(opaque.value)),
                });
            }
        }
        match first.kind {
            Kind::Number => self.numbers(first, second),
            Kind::String => self.lengths(first, second),
            Kind::Array => {
                self.lengths(first, second);
                self.items(first, second);
            }
            Kind::Object => {
                self.lengths(first, second);
                self.objects(first, second);
            }
            Kind::Null | Kind::Boolean => {}
        }
    }

    fn items(&mut self, first: &Alternative<'s>, second: &Alternative<'s>) {
        let most = first.greatest.unwrap_or(u64::MAX);
        let length = first.first_items.len().max(second.first_items.len());
        for index in (0..length).take_while(|index| (*index as u64) < most) {
            let (first, second) = (first.item(index), second.item(index));
            self.below(&format!("[{index}]"), |this| this.compare(first, second));
        }
        if most > length as u64 {
            self.below("[]", |this| this.compare(&first.items, &second.items));
        }
    }
}

/// Returns the names of the alternatives' types for a message.
fn types(alternatives: &Alternatives<'_>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for alternative in &alternatives.list {
        if !names.contains(&alternative.type_name()) {
            names.push(alternative.type_name());
        }
    }
    match &names[..] {
        [] => "nothing".to_owned(),
        names if names.len() == Kind::ALL.len() => "any value".to_owned(),
        names => format!("`{}`", names.join("` or `")),
    }
}
