//! A skill's reading of a stored state, and of changed copies.

use super::values::{is_as_stable, is_equal, is_like, rename_variant};
use crate::journal::read_back::{NotReadBack, encode_again, tree};
use skill_agent_store::{SkillSnapshot, encode};
use skill_core::process::{self, NamedField, StoredValue};
use skill_core::{Agent, SkillSpec};

/// The most differences between a state and its present names that are looked at, and the most parts that are left out. Each costs a
/// few readings of the state.
pub(super) const MOST_NAMES: usize = 200;

/// A text that is no value of an ordinary type, and no name of a field or variant.
const NO_VALUE: &str = "\u{1}no value";

/// A stored state, and what the skill reads from it.
pub(super) struct StoredFit<'a, G> {
    pub(super) agent: &'a G,
    pub(super) key: &'a str,
    /// The state, under the present names as far as they are known.
    pub(super) stored: StoredValue,
    pub(super) read: StoredValue,
    /// A second reading of the state. A default such as the present time differs.
    pub(super) again: StoredValue,
    /// Whether both are equal. The items of a set may come in another order each time.
    pub(super) is_stable: bool,
}

/// A way to read a stored value that does not fit, which loses nothing.
pub(super) enum Cure {
    /// `#[serde(alias)]` with the earlier name of a field.
    Alias(String),
    /// `#[serde(alias)]` at a variant. Its earlier name is a stored value, which an error does not quote.
    VariantAlias,
    /// `Hooks::restore` alone: the state has too many earlier names to find the one of the value.
    Restore,
}

/// Why a stored state does not fit.
pub(super) struct Misfit {
    pub(super) reason: NotReadBack,
    /// The path of the smallest part without which an unreadable state can be read, if there is one.
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

impl<'a, G: Agent> StoredFit<'a, G> {
    pub(super) fn of_unreadable(agent: &'a G, stored: &'a SkillSnapshot) -> Option<Self> {
        Some(Self {
            agent,
            key: &stored.key,
            stored: tree(&stored.state).ok()?,
            read: StoredValue::Null,
            again: StoredValue::Null,
            is_stable: true,
        })
    }

    /// The cure for an error of serde that a new name explains: the state has a field that the schema lacks, and lacks one of the schema.
    pub(super) fn cure(&self, reason: &NotReadBack, spec: &SkillSpec) -> Option<Cure> {
        let NotReadBack::Unreadable(error) = reason else {
            return None;
        };
        let named = |start: &str| {
            let (_, rest) = error.split_once(start)?;
            Some(rest.split_once('`')?.0)
        };
        if let Some(old) = named("unknown variant `") {
            // The names that serde expects follow in quotes.
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
        let steps =
            unknown.find(|steps| named.unknown.is_some() || self.is_unread(steps, error))?;
        let field = steps.last()?.as_text()?;
        Some(Cure::Alias(field.to_owned()))
    }

    /// Whether serde reads an unknown variant under another name.
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

    /// Whether an unreadable state has the same error with another kind of value.
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

    /// The state that the skill reads without values, or `None` if it cannot read one.
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

    /// The stored state with a text in the place of a value.
    fn with(&self, steps: &[StoredValue], text: &str) -> StoredValue {
        let mut state = self.stored.clone();
        if let Some(value) = state.at_mut(steps) {
            *value = StoredValue::Text(text.to_owned());
        }
        state
    }

    /// The path of the smallest part without which the state can be read.
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

    /// The first of several fields that cannot be read.
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

    /// Whether the state reads differently if a value has another end, or is another one.
    pub(super) fn reads(&self, steps: &[StoredValue], start: &str) -> bool {
        let state = self.with(steps, &format!("{start}{NO_VALUE}"));
        self.is_different(self.read(&state).as_ref())
    }

    /// Whether the state reads the same with another key for a value.
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

    /// Whether something else was read than from the stored state.
    pub(super) fn is_different(&self, read: Option<&StoredValue>) -> bool {
        read.is_none_or(|read| !is_as_stable(&self.read, &self.again, read))
    }

    /// Whether a value that was read is the same each time, apart from the content of a map or list.
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
