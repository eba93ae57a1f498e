//! How a skill reads a stored state, and changed copies of it.

use super::values::{is_as_stable, is_equal, is_like, rename_variant};
use crate::journal::any_agent::AnyAgent;
use crate::journal::read_back::{NotReadBack, encode_again, tree};
use skill_agent_store::{SkillSnapshot, encode};
use skill_core::SkillSpec;
use skill_core::process::{self, NamedField, StoredValue};

/// The maximum number of differences to examine, and of parts to leave out. Each one costs a few reads of the state.
pub(super) const MOST_NAMES: usize = 200;

/// A string that is no valid value of an ordinary type, and no name of a field or variant.
const NO_VALUE: &str = "\u{1}no value";

/// A stored state, and the state that the skill reads from it.
pub(super) struct StoredFit<'a> {
    pub(super) agent: &'a dyn AnyAgent,
    pub(super) key: &'a str,
    /// The stored state. Parts that were renamed have their new names, if the new names are known.
    pub(super) stored: StoredValue,
    pub(super) read: StoredValue,
    /// A second read of the state. Defaults such as the current time differ between the two reads.
    pub(super) again: StoredValue,
    /// Whether both reads are equal. They may differ, because the items of a set can change their order on each read.
    pub(super) is_stable: bool,
}

/// A way to read a misfit value without losing anything.
pub(super) enum Cure {
    /// `#[serde(alias)]` with the field's earlier name.
    Alias(String),
    /// `#[serde(default)]` on the field with this name, which is new.
    Default(String),
    /// `#[serde(alias)]` on a variant. The error does not quote the variant's earlier name, because it is a stored value.
    VariantAlias,
    /// Only `Hooks::restore` helps: the state has too many earlier names to find the right one.
    Restore,
}

/// Why a stored state does not fit.
pub(super) struct Misfit {
    pub(super) reason: NotReadBack,
    /// The path of the smallest part that makes the state unreadable.
    pub(super) unreadable_part: Option<String>,
    pub(super) cure: Option<Cure>,
}

impl From<NotReadBack> for Box<Misfit> {
    fn from(reason: NotReadBack) -> Self {
        Self::new(Misfit {
            reason,
            unreadable_part: None,
            cure: None,
        })
    }
}

impl<'a> StoredFit<'a> {
    pub(super) fn of_unreadable(
        agent: &'a dyn AnyAgent,
        stored: &'a SkillSnapshot,
    ) -> Option<Self> {
        Some(Self {
            agent,
            key: &stored.key,
            stored: tree(&stored.state).ok()?,
            read: StoredValue::Null,
            again: StoredValue::Null,
            is_stable: true,
        })
    }

    /// Returns the cure for a serde error that a new or renamed field or variant causes. A field is renamed if the state has a
    /// field that the schema lacks, and lacks a field of the schema.
    pub(super) fn cure(&self, reason: &NotReadBack, spec: &SkillSpec) -> Option<Cure> {
        let NotReadBack::Unreadable(error) = reason else {
            return None;
        };
        let named = |start: &str| {
            let (_, rest) = error.split_once(start)?;
            Some(rest.split_once('`')?.0)
        };
        if let Some(old) = named("unknown variant `") {
            // The variant names that serde expects follow in backticks.
            let mut names = error.split('`').skip(3).step_by(2);
            let is_renamed = names.any(|new| self.is_variant(old, new));
            return is_renamed.then_some(Cure::VariantAlias);
        }
        let named = NamedField {
            missing: named("missing field `"),
            unknown: named("unknown field `"),
        };
        named.missing.or(named.unknown)?;
        let unknown = process::unknown_entries(spec, &self.stored.to_json(), named);
        let mut unknown = unknown.iter().take(MOST_NAMES);
        let renamed = unknown.find(|steps| named.unknown.is_some() || self.is_unread(steps, error));
        match renamed {
            Some(steps) => Some(Cure::Alias(steps.last()?.as_text()?.to_owned())),
            None => Some(Cure::Default(named.missing?.to_owned())),
        }
    }

    /// Returns whether serde reads an unknown variant under the name `new`.
    fn is_variant(&self, old: &str, new: &str) -> bool {
        let mut state = self.stored.clone();
        rename_variant(&mut state, old, new);
        let error = match encode(&state).map(|state| encode_again(self.agent, self.key, &state)) {
            Ok(Err(NotReadBack::Unreadable(error))) => error,
            Ok(again) => return again.is_ok(),
            Err(_) => return false,
        };
        // Another variant may be renamed too.
        let rest = error.split_once("unknown variant `");
        rest.is_some_and(|(_, rest)| !rest.starts_with(&format!("{old}`")))
    }

    /// Returns whether the error stays the same when the value at `steps` is replaced with a value of a different kind.
    fn is_unread(&self, steps: &[StoredValue], error: &str) -> bool {
        let mut state = self.stored.clone();
        let text = || StoredValue::Text(NO_VALUE.to_owned());
        match state.at_mut(steps) {
            Some(value @ (StoredValue::Map(_) | StoredValue::List(_))) => *value = text(),
            Some(value) => *value = StoredValue::Map(vec![(text(), text())]),
            None => return false,
        }
        let Ok(state) = encode(&state) else {
            return false;
        };
        let again = encode_again(self.agent, self.key, &state);
        matches!(again, Err(NotReadBack::Unreadable(other)) if other == error)
    }

    /// Returns the state that the skill reads without the values at `paths`, or `None` if that fails.
    pub(super) fn read_without(&self, paths: &[Vec<StoredValue>]) -> Option<StoredValue> {
        let mut state = self.stored.clone();
        for path in paths {
            let (last, parent) = path.split_last()?;
            let StoredValue::Map(entries) = state.at_mut(parent)? else {
                return None;
            };
            entries.retain(|(key, _)| key.as_text() != last.as_text());
        }
        self.read(&state)
    }

    /// Returns the stored state with a string in place of one value.
    fn with(&self, steps: &[StoredValue], text: &str) -> StoredValue {
        let mut state = self.stored.clone();
        if let Some(value) = state.at_mut(steps) {
            *value = StoredValue::Text(text.to_owned());
        }
        state
    }

    /// Returns the path of the smallest part that makes the state unreadable.
    pub(super) fn unreadable_part(&self) -> Option<String> {
        let mut part = Vec::new();
        while let Some(smaller) = self.unreadable_part_of(&part) {
            part = smaller;
        }
        if part.is_empty() {
            part.push(self.unreadable_field()?);
        }
        let keys: Vec<&str> = part.iter().filter_map(StoredValue::as_text).collect();
        Some(keys.join("."))
    }

    fn unreadable_part_of(&self, part: &[StoredValue]) -> Option<Vec<StoredValue>> {
        let StoredValue::Map(entries) = self.stored.at(part)? else {
            return None;
        };
        let keys = entries.iter().map(|(key, _)| key);
        let mut parts = keys
            .filter(|key| key.as_text().is_some())
            .map(|key| [part, std::slice::from_ref(key)].concat());
        parts
            .by_ref()
            .take(MOST_NAMES)
            .find(|part| self.read_without(std::slice::from_ref(part)).is_some())
    }

    /// Returns the first unreadable field, if several fields are unreadable.
    fn unreadable_field(&self) -> Option<StoredValue> {
        let StoredValue::Map(entries) = &self.stored else {
            return None;
        };
        let is_readable = |entry: &&(StoredValue, StoredValue)| {
            let alone = StoredValue::Map(vec![(*entry).clone()]);
            self.read(&alone).is_some()
        };
        let (good, bad): (Vec<_>, Vec<_>) = entries.iter().partition(is_readable);
        let rest = StoredValue::Map(good.into_iter().cloned().collect());
        let (key, _) = bad.first()?;
        self.read(&rest).map(|_| key.clone())
    }

    pub(super) fn ignores_unknown_fields(&self, parent: &[StoredValue]) -> bool {
        let mut state = self.stored.clone();
        if let Some(StoredValue::Map(entries)) = state.at_mut(parent) {
            let text = || StoredValue::Text(NO_VALUE.to_owned());
            entries.push((text(), text()));
        }
        !self.is_different(self.read(&state).as_ref())
    }

    /// Returns whether the state reads differently when the value at `steps` is replaced with a string that begins with `start`.
    pub(super) fn reads(&self, steps: &[StoredValue], start: &str) -> bool {
        let state = self.with(steps, &format!("{start}{NO_VALUE}"));
        self.is_different(self.read(&state).as_ref())
    }

    /// Returns whether the state reads the same after renaming the key `old` to `new`.
    pub(super) fn reads_under(&self, map: &[StoredValue], old: &str, new: &str) -> bool {
        let mut state = self.stored.clone();
        let Some(StoredValue::Map(entries)) = state.at_mut(map) else {
            return false;
        };
        for (key, _) in entries {
            if key.as_text() == Some(old) {
                *key = StoredValue::Text(new.to_owned());
            }
        }
        !self.is_different(self.read(&state).as_ref())
    }

    /// Returns whether `read` differs from the state read before.
    pub(super) fn is_different(&self, read: Option<&StoredValue>) -> bool {
        read.is_none_or(|read| !is_as_stable(&self.read, &self.again, read))
    }

    /// Returns whether a value is the same on each read. The contents of a map or list are not compared.
    pub(super) fn is_stable(&self, steps: &[StoredValue]) -> bool {
        match (self.read.at(steps), self.again.at(steps)) {
            (Some(read), Some(again)) => {
                self.is_stable || is_like(read, again) || is_equal(read, again)
            }
            _ => false,
        }
    }

    fn read(&self, state: &StoredValue) -> Option<StoredValue> {
        let again = encode_again(self.agent, self.key, &encode(state).ok()?);
        tree(&again.ok()?).ok()
    }
}
