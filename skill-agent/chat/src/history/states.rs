//! What the model has read about the states of skills, and the list of documents that it has read.

use crate::{ContextOrigin, ContextPart, Message};
use std::collections::HashMap;

/// The last part about each subject.
#[derive(Debug, Default)]
pub(crate) struct KnownStates<'a>(HashMap<Subject<'a>, &'a ContextPart>);

/// The subject of a part. A later part about a subject replaces an earlier one.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Subject<'a> {
    /// The list of documents, or their number.
    List,
    /// A skill's state.
    State(&'a str),
}

impl<'a> Subject<'a> {
    fn of(part: &'a ContextPart) -> Option<Self> {
        match &part.skill {
            Some(skill) => Some(Self::State(skill)),
            None if part.origin == ContextOrigin::Selection && part.loaded.is_empty() => {
                Some(Self::List)
            }
            None => None,
        }
    }
}

impl<'a> KnownStates<'a> {
    /// Reads the parts of messages, in order.
    pub(crate) fn of(parts: impl Iterator<Item = &'a ContextPart>) -> Self {
        let known = parts.filter_map(|part| Some((Subject::of(part)?, part)));
        Self(known.collect())
    }

    /// Returns the skills that are not among some others, sorted.
    pub(crate) fn without(&self, others: &[(&str, String)]) -> Vec<&'a str> {
        let skills = self.0.keys().filter_map(|subject| match subject {
            Subject::State(skill) => Some(*skill),
            Subject::List => None,
        });
        let gone = skills.filter(|skill| others.iter().all(|(other, _)| other != skill));
        let mut gone: Vec<_> = gone.collect();
        gone.sort_unstable();
        gone
    }

    /// Returns whether a part repeats the last text about its subject.
    pub(crate) fn has(&self, part: &ContextPart) -> bool {
        let known = Subject::of(part).and_then(|subject| self.0.get(&subject));
        known.is_some_and(|known| known.text == part.text)
    }

    /// Returns the parts about subjects of which other messages say nothing.
    pub(crate) fn missing_in(self, others: &[Message]) -> Vec<ContextPart> {
        let others = KnownStates::of(others.iter().flat_map(Message::contexts)).0;
        let missing = self.0.into_iter();
        let mut missing: Vec<_> = missing
            .filter(|(subject, _)| !others.contains_key(subject))
            .collect();
        missing.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        missing.into_iter().map(|(_, part)| part.clone()).collect()
    }
}
