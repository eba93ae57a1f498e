//! Whether a stored state of another schema fits the present one, under the names that its fields have now.
//!
//! No schema shows `#[serde(alias)]`, so serde decides: a field that the present schema lacks is read if the state reads differently
//! without it.

use super::earlier_name::{EarlierName, is_empty, is_equal, is_in, is_like};
use crate::server::journal::read_back::{NotReadBack, compare, encode_again, tree};
use crate::store::{SkillSnapshot, encode};
use serde_json::Value;
use skill_core::process::{Comparison, Difference, StoredValue};
use skill_core::{Agent, SkillSpec};
use std::collections::HashSet;

/// The most earlier names in a state that are looked up. Each costs a few readings of the state.
const MOST_NAMES: usize = 200;

/// A text that is no value of an ordinary type, and no name of a field or variant.
const NO_VALUE: &str = "\u{1}no value";

/// A stored state, and what the skill reads from it.
struct StoredFit<'a, G> {
    agent: &'a G,
    key: &'a str,
    stored: StoredValue,
    read: StoredValue,
}

/// Why a stored state does not fit.
pub(super) struct Misfit {
    pub(super) reason: NotReadBack,
    /// The path of the smallest part without which an unreadable state can be read, if there is one.
    pub(super) unreadable_part: Option<String>,
    /// Whether the lost field may have another name now.
    pub(super) may_be_renamed: bool,
}

impl Misfit {
    fn of(reason: NotReadBack) -> Self {
        Self {
            reason,
            unreadable_part: None,
            may_be_renamed: false,
        }
    }
}

impl From<NotReadBack> for Box<Misfit> {
    fn from(reason: NotReadBack) -> Self {
        Self::new(Misfit::of(reason))
    }
}

/// The path of the smallest part of a stored state without which the skill can read it, if there is one.
pub(super) fn unreadable_part<G: Agent>(agent: &G, stored: &SkillSnapshot) -> Option<String> {
    let fit = StoredFit {
        agent,
        key: &stored.key,
        stored: tree(&stored.state).ok()?,
        read: StoredValue::Null,
    };
    fit.unreadable_part()
}

/// Checks that a stored state loses nothing when the skill reads it.
pub(super) fn check_fit<G: Agent>(
    agent: &G,
    stored: &SkillSnapshot,
    spec: &SkillSpec,
) -> Result<(), Box<Misfit>> {
    let key = &*stored.key;
    let again = match encode_again(agent, key, &stored.state) {
        Ok(again) => again,
        Err(reason) => {
            return Err(Box::new(Misfit {
                unreadable_part: unreadable_part(agent, stored),
                ..Misfit::of(reason)
            }));
        }
    };
    match compare(&stored.state, &again, Comparison::MayHaveMore) {
        Err(NotReadBack::Different(_)) => {}
        fits => return Ok(fits?),
    }
    let fit = StoredFit {
        agent,
        key,
        stored: tree(&stored.state)?,
        read: tree(&again)?,
    };
    fit.check(&constants_of(spec))
}

impl<G: Agent> StoredFit<'_, G> {
    fn check(&self, constants: &HashSet<String>) -> Result<(), Box<Misfit>> {
        let mut read = self.read.clone();
        let mut names = 0;
        // A default such as the present time is another one each time, and then no difference shows what was read.
        let is_stable = !self.reads_differently(self.stored.clone());
        loop {
            let stored = self.stored.clone();
            let Some(lost) = stored.difference(read.clone(), Comparison::MayHaveMore) else {
                return Ok(());
            };
            let earlier = self.earlier_name(&lost, &read, constants);
            let Some(earlier) = earlier.filter(|_| is_stable && names < MOST_NAMES) else {
                return Err(Box::new(Misfit {
                    may_be_renamed: !new_keys(&self.stored, &read, &lost.steps()).is_empty(),
                    ..Misfit::of(NotReadBack::Different(lost))
                }));
            };
            names += 1;
            earlier.give_back(&self.stored, &mut read);
        }
    }

    /// The earlier name that explains a difference.
    fn earlier_name(
        &self,
        lost: &Difference,
        read: &StoredValue,
        constants: &HashSet<String>,
    ) -> Option<EarlierName> {
        let steps = lost.steps();
        match (&lost.stored, &lost.read) {
            (Some(value), None) => self.earlier_field(steps, value, read),
            (Some(StoredValue::Text(old)), Some(StoredValue::Text(new))) => {
                let is_renamed = constants.contains(new)
                    && !constants.contains(old)
                    && self.reads_differently(self.with(&steps, &format!("{old}{NO_VALUE}")));
                is_renamed.then(|| EarlierName::Variant {
                    old: old.clone(),
                    new: new.clone(),
                })
            }
            _ => None,
        }
    }

    /// The present name of a stored field under which serde reads it.
    fn earlier_field(
        &self,
        steps: Vec<StoredValue>,
        value: &StoredValue,
        read: &StoredValue,
    ) -> Option<EarlierName> {
        let (last, parent) = steps.split_last()?;
        let old = last.as_text()?.to_owned();
        let without = self.read_without(&steps);
        let is_needed = self.is_different(&without);
        if !is_needed && !self.reads_differently(self.with(&steps, NO_VALUE)) {
            return None;
        }
        let found = read.at(parent)?;
        let new_keys = new_keys(&self.stored, read, &steps);
        let holds_value = |key: &&String| {
            let same = |new: &StoredValue| is_in(value, new);
            found.entry(key).is_some_and(same)
        };
        let changes = |key: &&String| {
            let before = without.as_ref()?.at(parent)?.entry(key);
            let now = found.entry(key)?;
            Some(before.is_none_or(|before| !is_equal(before, now)))
        };
        let is_like = |key: &&String| {
            let new = found.entry(key);
            new.is_some_and(|new| is_like(value, new))
        };
        let mut keys = new_keys.iter();
        let new = keys
            .clone()
            .find(holds_value)
            .or_else(|| {
                keys.clone()
                    .find(|key| is_needed && changes(key) == Some(true))
            })
            .or_else(|| keys.find(is_like));
        // An empty field may not be written. Of a map, this would be an entry that another one has replaced.
        let is_unwritten = || is_empty(value) && self.ignores_unknown_fields(parent);
        if new.is_none() && !is_needed && !is_unwritten() {
            return None;
        }
        let new = new.cloned();
        Some(EarlierName::Field {
            parent: parent.to_vec(),
            old,
            new,
        })
    }

    /// The state that the skill reads without a value, or `None` if it cannot read one.
    fn read_without(&self, steps: &[StoredValue]) -> Option<StoredValue> {
        let (last, parent) = steps.split_last()?;
        let mut state = self.stored.clone();
        let StoredValue::Map(entries) = state.at_mut(parent)? else {
            return None;
        };
        entries.retain(|(key, _)| key.as_text() != last.as_text());
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
    fn unreadable_part(&self) -> Option<String> {
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
            .find(|part| self.read_without(part).is_some())
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

    fn ignores_unknown_fields(&self, parent: &[StoredValue]) -> bool {
        let mut state = self.stored.clone();
        if let Some(StoredValue::Map(entries)) = state.at_mut(parent) {
            let text = || StoredValue::Text(NO_VALUE.to_owned());
            entries.push((text(), text()));
        }
        !self.reads_differently(state)
    }

    fn reads_differently(&self, state: StoredValue) -> bool {
        self.is_different(&self.read(&state))
    }

    fn is_different(&self, read: &Option<StoredValue>) -> bool {
        read.as_ref().is_none_or(|read| !is_equal(read, &self.read))
    }

    fn read(&self, state: &StoredValue) -> Option<StoredValue> {
        let again = encode_again(self.agent, self.key, &encode(state).ok()?);
        tree(&again.ok()?).ok()
    }
}

/// The keys of the map around a value that only what was read has.
fn new_keys(stored: &StoredValue, read: &StoredValue, steps: &[StoredValue]) -> Vec<String> {
    let Some((_, parent)) = steps.split_last() else {
        return Vec::new();
    };
    let (Some(stored), Some(StoredValue::Map(entries))) = (stored.at(parent), read.at(parent))
    else {
        return Vec::new();
    };
    let keys = entries.iter().filter_map(|(key, _)| key.as_text());
    let keys = keys.filter(|key| stored.entry(key).is_none());
    keys.map(str::to_owned).collect()
}

/// The constants in the schema of a state, among which are the names of all variants.
fn constants_of(spec: &SkillSpec) -> HashSet<String> {
    fn collect(schema: &Value, constants: &mut HashSet<String>) {
        match schema {
            Value::Array(items) => items.iter().for_each(|item| collect(item, constants)),
            Value::Object(entries) => {
                for (keyword, value) in entries {
                    match (keyword.as_str(), value) {
                        ("const", Value::String(text)) => _ = constants.insert(text.clone()),
                        ("enum", Value::Array(items)) => {
                            let texts = items.iter().filter_map(Value::as_str);
                            constants.extend(texts.map(str::to_owned));
                        }
                        _ => collect(value, constants),
                    }
                }
            }
            _ => {}
        }
    }
    let mut constants = HashSet::new();
    if let Some(schema) = spec.state_schema {
        collect(schema(), &mut constants);
    }
    constants
}
