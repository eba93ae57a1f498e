//! The last part about each skill's state, and about the list of documents.

use crate::{ContextOrigin, ContextPart, Message};
use std::collections::HashMap;

/// The last part about each subject.
#[derive(Debug, Default)]
pub(crate) struct LastParts<'a>(HashMap<Subject<'a>, Known<'a>>);

/// The subject of a part. A later part about a subject replaces an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Subject<'a> {
    /// The list of documents, or their number.
    List,
    /// The state of an agent's skill.
    State { agent: &'a str, skill: &'a str },
}

#[derive(Clone, Copy, Debug)]
struct Known<'a> {
    part: &'a ContextPart,
    /// `false` if a later part says that the agent's states are unknown.
    is_current: bool,
}

impl<'a> Subject<'a> {
    fn of(part: &'a ContextPart) -> Option<Self> {
        match (&part.agent, &part.skill) {
            (Some(agent), Some(skill)) => Some(Self::State { agent, skill }),
            _ if part.origin == ContextOrigin::Selection && part.loaded.is_empty() => {
                Some(Self::List)
            }
            _ => None,
        }
    }

    fn is_of(self, of: &str) -> bool {
        matches!(self, Self::State { agent, .. } if agent == of)
    }
}

impl<'a> LastParts<'a> {
    /// Reads the parts of messages, in order.
    pub(crate) fn of(parts: impl Iterator<Item = &'a ContextPart>) -> Self {
        let mut known = Self::default();
        for part in parts {
            if let Some(subject) = Subject::of(part) {
                let is_current = true;
                known.0.insert(subject, Known { part, is_current });
            } else if let Some(agent) = &part.agent {
                let states = known.0.iter_mut();
                let of_agent = states.filter(|(subject, _)| subject.is_of(agent));
                of_agent.for_each(|(_, known)| known.is_current = false);
            }
        }
        known
    }

    /// Returns the skills of an agent, sorted.
    pub(crate) fn skills_of(&self, of: &str) -> Vec<&'a str> {
        let mut skills: Vec<_> = self
            .0
            .keys()
            .filter_map(|subject| match subject {
                Subject::State { agent, skill } if *agent == of => Some(*skill),
                _ => None,
            })
            .collect();
        skills.sort_unstable();
        skills
    }

    /// Returns whether the model takes a state of an agent for the current one.
    pub(crate) fn has_current(&self, agent: &str) -> bool {
        let mut states = self.0.iter();
        states.any(|(subject, known)| subject.is_of(agent) && known.is_current)
    }

    /// Returns whether a part repeats the last text about its subject.
    pub(crate) fn has(&self, part: &ContextPart) -> bool {
        let known = Subject::of(part).and_then(|subject| self.0.get(&subject));
        known.is_some_and(|known| known.is_current && known.part.text == part.text)
    }

    /// Returns the parts whose subjects have no part in other messages.
    pub(crate) fn missing_in(self, others: &[Message]) -> Vec<ContextPart> {
        let others = LastParts::of(others.iter().flat_map(Message::contexts)).0;
        let missing = self.0.into_iter();
        let missing = missing.filter(|(subject, _)| !others.contains_key(subject));
        let mut missing: Vec<_> = missing.collect();
        missing.sort_unstable_by_key(|(subject, _)| *subject);
        missing
            .into_iter()
            .map(|(_, known)| known.part.clone())
            .collect()
    }
}
