//! An entry in the list of mounted skills and documents: how it is created, and its registrations.

use super::registry::NewEntry;
use super::{Entry, EntryKind, MountError, MountedSkill};
use crate::directive::SKILL_TAG;
use crate::{Directive, Origin};
use serde_json::{Map, Value};
use skill_agent_schema::{Problem, StateError, join};
use std::sync::Arc;

impl Entry {
    /// Returns the registrations of the entry's actions.
    pub(super) fn registrations(&self) -> impl Iterator<Item = Directive> {
        self.spec().into_iter().flat_map(|spec| {
            let actions = spec.actions.iter();
            actions.map(|action| Directive::RegisterAction {
                skill: spec.name.into(),
                action: action.name.into(),
                origin: origin(spec.name),
            })
        })
    }

    /// Returns the deregistrations of the entry's actions. There are none if the entry is disabled.
    pub(super) fn deregistrations(&self) -> Vec<Directive> {
        if !self.enabled {
            return Vec::new();
        }
        let Some(spec) = self.spec() else {
            return Vec::new();
        };
        let actions = spec.actions.iter();
        actions
            .map(|action| Directive::DeregisterAction {
                skill: spec.name.into(),
                action: action.name.into(),
                origin: origin(spec.name),
            })
            .collect()
    }

    /// Returns whether the entry is the same skill type or document as `new`.
    pub(super) fn is(&self, new: &NewEntry) -> bool {
        match (&self.kind, new) {
            (EntryKind::Skill(skill), NewEntry::Skill(new)) => skill.skill_type() == (new.kind)(),
            (EntryKind::Document(document), NewEntry::Document(new)) => document.is_same(&**new),
            _ => false,
        }
    }
}

/// Creates the entry for a skill, with a new state, or for a document.
pub(super) fn create_entry(new: &NewEntry, options: &Value) -> Result<EntryKind, MountError> {
    let wrong = |source| MountError::Options {
        skill: new.meta().display_name(),
        source,
    };
    match new {
        NewEntry::Skill(skill) => {
            if let Some(action) = skill.spec.actions.iter().find(|action| action.is_async) {
                return Err(MountError::Async {
                    skill: skill.spec.name.into(),
                    action: action.name.into(),
                });
            }
            Ok(EntryKind::Skill(
                MountedSkill::mount(skill.skill, options).map_err(wrong)?,
            ))
        }
        NewEntry::Document(document) => {
            takes_no_options(document.id(), options).map_err(wrong)?;
            Ok(EntryKind::Document(Arc::clone(document)))
        }
    }
}

fn takes_no_options(document: &str, options: &Value) -> Result<(), StateError> {
    let problem = match options.as_object().map(|object| object.keys().next()) {
        Some(None) => return Ok(()),
        Some(Some(key)) => Problem::new(join(document, key), "a document takes no options"),
        None => Problem::new(document, "expected an object"),
    };
    Err(StateError::from(problem))
}

/// Returns options that keep the default configuration.
pub(super) fn no_options() -> Value {
    Value::Object(Map::new())
}

fn origin(skill: &'static str) -> Origin {
    let mut origin = Origin::new(skill);
    origin.tags.push(SKILL_TAG.into());
    origin
}
