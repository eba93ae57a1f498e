//! Earlier names of fields and variants in a stored state.

use super::stored_fit::{Cure, MOST_NAMES, Misfit, StoredFit};
use super::values::{
    Steps, collect_constants, find_maps, is_empty, is_equal, is_in, is_like, remove_empty,
    rename_texts,
};
use crate::journal::read_back::NotReadBack;
use skill_core::SkillSpec;
use skill_core::process::{Comparison, Difference, StoredValue};
use std::collections::{HashMap, HashSet};

/// Renames the parts of a stored state that serde now reads under different names.
pub(super) struct Renames<'a> {
    fit: StoredFit<'a>,
    /// The decoded state, and the stored values that affect the decoded state but are not in it.
    compared: StoredValue,
    /// The constants in the state's schema, which include all variant names.
    constants: HashSet<String>,
    /// Earlier field names by current path.
    earlier: HashMap<String, String>,
}

impl<'a> Renames<'a> {
    pub(super) fn new(fit: StoredFit<'a>, spec: &SkillSpec) -> Self {
        let mut constants = HashSet::new();
        if let Some(schema) = spec.state_schema {
            collect_constants(schema(), &mut constants);
        }
        Self {
            compared: fit.read.clone(),
            fit,
            constants,
            earlier: HashMap::new(),
        }
    }

    /// Checks that no part of the stored state is lost under the current names.
    pub(super) fn check(mut self) -> Result<(), Box<Misfit>> {
        for names in 0.. {
            let stored = self.fit.stored.clone();
            let Some(lost) = stored.difference(self.compared.clone(), Comparison::MayHaveMore)
            else {
                break;
            };
            let cure = if names == MOST_NAMES {
                Some(Cure::Restore)
            } else if self.rename(&lost) {
                continue;
            } else {
                self.cure(&lost)
            };
            let steps = self.stored_steps(lost.steps());
            return Err(Box::new(Misfit {
                reason: NotReadBack::Different(lost.with_steps(steps)),
                unreadable_part: None,
                cure,
            }));
        }
        Ok(())
    }

    /// Returns a cure that adds the lost field's name as an alias. Returns `None` unless the same map has a new field that matches
    /// no other stored field.
    fn cure(&mut self, lost: &Difference) -> Option<Cure> {
        let steps = lost.steps();
        let (last, parent) = steps.split_last()?;
        let field = last.as_text().filter(|_| lost.read.is_none())?;
        if let Some(StoredValue::Map(entries)) = self.fit.stored.at(parent).cloned() {
            for (key, value) in &entries {
                let other = key.as_text().filter(|other| *other != field);
                let path = other.map(|other| below(parent, other));
                if let Some(path) = path.filter(|path| self.fit.read.at(path).is_none()) {
                    self.rename_field(&path, value);
                }
            }
        }
        let is_renamed = !self.new_keys(parent).is_empty();
        is_renamed.then(|| Cure::Alias(field.to_owned()))
    }

    /// Renames a part of the stored state to its current name, here and wherever else the same old name occurs. Returns whether
    /// serde reads the part.
    fn rename(&mut self, lost: &Difference) -> bool {
        let steps = lost.steps();
        match (&lost.stored, &lost.read) {
            (Some(value), None) => self.rename_field(&steps, value).is_some(),
            (Some(StoredValue::Text(old)), Some(StoredValue::Text(new))) => {
                let is_renamed = self.constants.contains(new)
                    && !self.constants.contains(old)
                    && self.fit.reads(&steps, old);
                if is_renamed {
                    rename_texts(&mut self.fit.stored, &self.fit.read, old, new);
                }
                is_renamed
            }
            _ => false,
        }
    }

    fn rename_field(&mut self, steps: &Steps, value: &StoredValue) -> Option<()> {
        let (last, parent) = steps.split_last()?;
        let old = last.as_text()?;
        let without = self.fit.read_without(std::slice::from_ref(steps));
        let is_needed = self.fit.is_different(without.as_ref());
        if !is_needed && !self.fit.reads(steps, "") {
            return None;
        }
        if let Some(new) =
            self.present_name(parent, old, value, without.as_ref().filter(|_| is_needed))
        {
            self.rename_everywhere(parent, old, &new);
        } else if is_needed {
            let StoredValue::Map(entries) = self.compared.at_mut(parent)? else {
                return None;
            };
            entries.push((last.clone(), value.clone()));
        } else if is_empty(value) && self.fit.ignores_unknown_fields(parent) {
            // A struct may leave out empty fields when it is written. In a map, a missing empty entry would have been replaced by
            // another entry, so it is lost.
            remove_empty(&mut self.fit.stored, &self.fit.read, old);
        } else {
            return None;
        }
        Some(())
    }

    /// Returns the name under which a stored value was read. Prefers a field with the same value, then one that reads the same
    /// under the new name, then one that changes without the stored value, then one of the same kind.
    fn present_name(
        &self,
        parent: &[StoredValue],
        old: &str,
        value: &StoredValue,
        without: Option<&StoredValue>,
    ) -> Option<String> {
        let found = self.fit.read.at(parent)?;
        let keys = self.new_keys(parent);
        let find = |is_meant: &dyn Fn(&str, &StoredValue) -> bool| {
            let mut keys = keys.iter();
            keys.find(|key| found.entry(key).is_some_and(|now| is_meant(key, now)))
        };
        let changes = |key: &str, now: &StoredValue| {
            let before = without.and_then(|without| without.at(parent));
            before.is_some_and(|before| {
                before
                    .entry(key)
                    .is_none_or(|before| !is_equal(before, now))
            })
        };
        let reads_the_same = |key: &str, _: &StoredValue| self.fit.reads_under(parent, old, key);
        let name = find(&|_, now| is_in(value, now))
            .or_else(|| find(&reads_the_same))
            .or_else(|| find(&changes))
            .or_else(|| find(&|_, now| is_like(value, now) && !is_empty(value)));
        name.cloned()
    }

    /// Returns the keys that only the decoded map has and whose values are the same on each read.
    fn new_keys(&self, map: &[StoredValue]) -> Vec<String> {
        let (Some(stored), Some(StoredValue::Map(entries))) =
            (self.fit.stored.at(map), self.fit.read.at(map))
        else {
            return Vec::new();
        };
        let keys = entries.iter().filter_map(|(key, _)| key.as_text());
        let keys = keys.filter(|key| stored.entry(key).is_none());
        let keys = keys.filter(|key| self.fit.is_stable(&below(map, key)));
        keys.map(str::to_owned).collect()
    }

    /// Renames a field in one map, and in other maps that have the same field. In another map, the field must contain a map or a
    /// list, which is compared later, or the values must be equal, or the stored value must affect the decoded state.
    fn rename_everywhere(&mut self, first: &[StoredValue], old: &str, new: &str) {
        let shape = self.shape(first);
        let Some((value, found)) = self.pair(first, old, new) else {
            return;
        };
        let (value, found) = (value.clone(), found.clone());
        self.rename_at(first, old, new);
        let mut others = Vec::new();
        find_maps(&self.fit.stored, &self.fit.read, old, new, &mut others);
        let is_same = |place: &Steps| {
            self.pair(place, old, new).is_some_and(|(other, now)| {
                is_like(other, now)
                    || is_in(other, now)
                    || (is_equal(other, &value) && is_equal(now, &found))
            })
        };
        let (mut same, unlike): (Vec<_>, Vec<_>) = others.into_iter().partition(is_same);
        if !unlike.is_empty() {
            let paths: Vec<_> = unlike.iter().map(|place| below(place, old)).collect();
            let without = self.fit.read_without(&paths);
            let is_read = |place: &Steps| match &without {
                Some(without) => {
                    let path = below(place, new);
                    let (now, before) = (self.fit.read.at(&path), without.at(&path));
                    let is_equal = now
                        .zip(before)
                        .is_some_and(|(now, before)| is_equal(now, before));
                    !is_equal && self.fit.is_stable(&path)
                }
                // the state cannot be read without the fields, so compare the maps' keys
                None => self.shape(place) == shape,
            };
            same.extend(unlike.iter().filter(|place| is_read(place)).cloned());
        }
        for place in same {
            self.rename_at(&place, old, new);
        }
    }

    /// Returns the stored value under its old name, and the decoded value under its new name.
    fn pair(
        &self,
        map: &[StoredValue],
        old: &str,
        new: &str,
    ) -> Option<(&StoredValue, &StoredValue)> {
        let (stored, read) = (self.fit.stored.at(map)?, self.fit.read.at(map)?);
        Some((stored.entry(old)?, read.entry(new)?))
    }

    /// Returns the keys of the stored map and of the decoded map, with the constants that distinguish variants.
    fn shape(&self, map: &[StoredValue]) -> Vec<(String, Option<String>)> {
        let maps = [self.fit.stored.at(map), self.fit.read.at(map)];
        let shape_of = |map: &StoredValue| {
            let StoredValue::Map(entries) = map else {
                return Vec::new();
            };
            let constant = |value: &StoredValue| {
                let text = value
                    .as_text()
                    .filter(|text| self.constants.contains(*text));
                text.map(str::to_owned)
            };
            let keys = entries.iter();
            let keys = keys.map(|(key, value)| (key.to_string(), constant(value)));
            let mut keys: Vec<_> = keys.collect();
            keys.sort_unstable();
            keys
        };
        maps.into_iter().flatten().flat_map(shape_of).collect()
    }

    /// Renames a field in one stored map. If serde converted the value to another kind, the decoded value replaces it.
    fn rename_at(&mut self, map: &[StoredValue], old: &str, new: &str) {
        let Some((value, found)) = self.pair(map, old, new) else {
            return;
        };
        let value = if is_like(value, found) { value } else { found };
        let entry = (StoredValue::Text(new.to_owned()), value.clone());
        if let Some(StoredValue::Map(entries)) = self.fit.stored.at_mut(map) {
            entries.retain(|(key, _)| key.as_text() != Some(old));
            entries.push(entry);
        }
        let path = path_of(&below(map, new));
        self.earlier.insert(path, old.to_owned());
    }

    /// Returns the steps to a value with the stored names.
    fn stored_steps(&self, steps: Steps) -> Steps {
        let step = |end: usize| match self.earlier.get(&path_of(&steps[..=end])) {
            Some(old) => StoredValue::Text(old.clone()),
            None => steps[end].clone(),
        };
        (0..steps.len()).map(step).collect()
    }
}

fn below(map: &[StoredValue], key: &str) -> Steps {
    [map, &[StoredValue::Text(key.to_owned())]].concat()
}

fn path_of(steps: &[StoredValue]) -> String {
    let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
    steps.join(".")
}
