//! The stored form of mounted skills, in mounting order.

use crate::bounds::StoredState;
use crate::mounted::registry::NewEntry;
use crate::mounted::{Entry, EntryKind, MountError, Mounted, MountedSkill};
use crate::stored::StoredValue;
use crate::{HookError, SkillSpec};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, SeqAccess, Visitor,
};
use serde::ser::{Serialize, SerializeSeq, Serializer};
use serde_json::Value;
use std::fmt;

/// The length of the tuple for a mounted skill: name, version, fingerprint of the state's schema, whether it is enabled, mount
/// options, state. A document has no fingerprint, options or state. Its content comes from the registry when the document is
/// read.
const PARTS: usize = 6;

/// Returns the name and the state of a stored mounted skill, or `None` if the value has a different form.
pub fn stored_name_and_state(skill: &mut StoredValue) -> Option<(&str, &mut StoredValue)> {
    let StoredValue::List(parts) = skill else {
        return None;
    };
    let parts: &mut [_; PARTS] = parts.as_mut_slice().try_into().ok()?;
    match parts {
        [StoredValue::Text(name), .., state] => Some((name, state)),
        _ => None,
    }
}

/// Serializes the stored form.
pub(crate) struct Serialized<'a>(pub(crate) &'a Mounted);

impl Serialize for Serialized<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.entries.len()))?;
        for entry in &self.0.entries {
            let (meta, enabled) = (entry.meta(), entry.enabled);
            let (name, version) = (meta.name(), meta.version());
            match &entry.kind {
                EntryKind::Skill(skill) => {
                    let (shape, options) = (skill.schema_fingerprint(), skill.given_options());
                    let state = skill.serialized();
                    seq.serialize_element(&(name, version, shape, enabled, options, state))?;
                }
                EntryKind::Document(_) => {
                    let no_shape: Option<u64> = None;
                    seq.serialize_element(&(name, version, no_shape, enabled, (), ()))?;
                }
            }
        }
        seq.end()
    }
}

/// The result of restoring mounted skills from a store.
#[derive(Clone, Debug, Default)]
pub struct RestoredMounted {
    /// The skills whose options this build rejects. They have the default configuration.
    pub other_options: Vec<String>,
    /// The stored states with a different schema or from an incompatible version. Their skills have new states instead.
    pub other_states: Vec<OtherState>,
    /// The skills and documents that were left out.
    pub forgotten: Vec<String>,
}

/// A mounted skill's stored state that has a different schema from the current one, or comes from an incompatible version.
#[derive(Clone, Debug)]
pub struct OtherState {
    /// The skill's current spec.
    pub spec: &'static SkillSpec,
    /// The skill version that stored the state.
    pub version: Option<String>,
    /// Whether the state has the current schema.
    pub is_same_schema: bool,
    /// The stored state.
    pub state: StoredValue,
}

impl Mounted {
    /// Restores the mounted skills from a store. Leaves out forgotten skills, and states with a different schema or from an
    /// incompatible version. Skills are found in the registry by name.
    pub(crate) fn restore_from(
        &mut self,
        stored: &mut StoredState<'_, '_>,
        is_forgotten: &dyn Fn(&str) -> bool,
    ) -> Result<RestoredMounted, erased_serde::Error> {
        let mut restored = RestoredMounted::default();
        self.entries = stored.deserialize_seq(EntriesVisitor {
            mounted: self,
            is_forgotten,
            restored: &mut restored,
        })?;
        match self.first_violation() {
            // a document's requirements, and the agent's skills, may have changed since the log was written
            Some((name, fault)) => Err(erased_serde::Error::custom(format_args!(
                "{fault}; or give `{name}` up with `.forget(\"skills.{name}\")`"
            ))),
            None => Ok(restored),
        }
    }

    /// Reads a skill's state from a store. Returns `None` if no skill has the state key `key`.
    pub(crate) fn load_state(
        &mut self,
        key: &str,
        stored: &mut StoredState<'_, '_>,
    ) -> Option<Result<(), erased_serde::Error>> {
        Some(self.skill_mut(key)?.load(stored))
    }

    /// Reads a skill's state from a store without keeping it, and serializes it again with `write`. Returns `None` if no skill
    /// has the state key `key`.
    pub(crate) fn read_back_state(
        &self,
        key: &str,
        stored: &mut StoredState<'_, '_>,
        write: &mut dyn FnMut(&dyn erased_serde::Serialize),
    ) -> Option<Result<(), erased_serde::Error>> {
        let mut copy = self.skill(key)?.clone();
        Some(copy.load(stored).map(|()| write(copy.serialized())))
    }

    /// Converts a stored state for the skill with the state key `key`. Returns `None` if the skill does not implement
    /// `Hooks::restore`.
    pub(crate) fn migrate_state(
        &mut self,
        key: &str,
        version: &str,
        state: Value,
    ) -> Option<Result<(), HookError>> {
        self.skill_mut(key)?.migrate(version, state)
    }
}

/// Reads the sequence of mounted skills.
struct EntriesVisitor<'a> {
    mounted: &'a Mounted,
    is_forgotten: &'a dyn Fn(&str) -> bool,
    restored: &'a mut RestoredMounted,
}

impl<'de> Visitor<'de> for EntriesVisitor<'_> {
    type Value = Vec<Entry>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("mounted skills")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Vec<Entry>, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = seq.next_element_seed(EntrySeed(&mut self))? {
            entries.extend(entry);
        }
        Ok(entries)
    }
}

/// Reads one mounted skill, or `None` if it is forgotten.
struct EntrySeed<'a, 'b>(&'a mut EntriesVisitor<'b>);

impl<'de> DeserializeSeed<'de> for EntrySeed<'_, '_> {
    type Value = Option<Entry>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_tuple(PARTS, self)
    }
}

impl<'de> Visitor<'de> for EntrySeed<'_, '_> {
    type Value = Option<Entry>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mounted skill")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Option<Entry>, A::Error> {
        let EntriesVisitor {
            mounted,
            is_forgotten,
            restored,
        } = self.0;
        let missing = |part: usize| A::Error::invalid_length(part, &"a mounted skill");
        let name: String = seq.next_element()?.ok_or_else(|| missing(0))?;
        let version: Option<String> = seq.next_element()?.ok_or_else(|| missing(1))?;
        let shape: Option<u64> = seq.next_element()?.ok_or_else(|| missing(2))?;
        let enabled = seq.next_element()?.ok_or_else(|| missing(3))?;
        let known = mounted.registry().find_as(&name, shape.is_none());
        let key = known.as_ref().ok().and_then(|new| new.meta().state_key());
        if is_forgotten(&name) || key.is_some_and(is_forgotten) {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            restored.forgotten.push(name);
            return Ok(None);
        }
        let options = seq.next_element()?.ok_or_else(|| missing(4))?;
        let give_up = || format!("give it up with `.forget(\"skills.{name}\")`");
        let known = match (known, shape) {
            (Ok(NewEntry::Skill(mountable)), Some(shape)) => Ok((mountable, shape)),
            (Ok(NewEntry::Document(document)), None) => {
                seq.next_element::<IgnoredAny>()?
                    .ok_or_else(|| missing(5))?;
                let kind = EntryKind::Document(document);
                return Ok(Some(Entry { kind, enabled }));
            }
            (Ok(NewEntry::Document(_)), Some(_)) => Err(format!(
                "`{name}` was a skill and is a document now; register it under another name, or {}",
                give_up()
            )),
            (Ok(NewEntry::Skill(_)), None) => Err(format!(
                "`{name}` was a document and is a skill now; remove it from `mounted: [...]`, or {}",
                give_up()
            )),
            (Err(error @ MountError::Unregistered { .. }), Some(_)) => Err(format!(
                "{error}; add it to `mounted: [...]`, or {}",
                give_up()
            )),
            (Err(error @ MountError::Unregistered { .. }), None) => Err(format!(
                "{error}; register the document before the start, or {}",
                give_up()
            )),
            (Err(error), _) => Err(format!("{error}, or {}", give_up())),
        };
        let (mountable, shape) = known.map_err(A::Error::custom)?;
        let (mut skill, are_options_valid) = MountedSkill::remount(mountable.skill, options);
        if !are_options_valid {
            restored.other_options.push(name);
        }
        let spec = mountable.spec;
        let is_same_schema = shape == skill.schema_fingerprint();
        let state = StateSeed {
            is_read: is_same_schema && spec.is_compatible_with(version.as_deref()),
            skill: &mut skill,
        };
        let state = seq.next_element_seed(state)?.ok_or_else(|| missing(5))?;
        let other = state.map(|state| OtherState {
            spec,
            version,
            is_same_schema,
            state,
        });
        restored.other_states.extend(other);
        let kind = EntryKind::Skill(skill);
        Ok(Some(Entry { kind, enabled }))
    }
}

/// Reads the state into a skill that is already mounted, or returns the state if `is_read` is false.
struct StateSeed<'a> {
    skill: &'a mut MountedSkill,
    is_read: bool,
}

impl<'de> DeserializeSeed<'de> for StateSeed<'_> {
    type Value = Option<StoredValue>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        if !self.is_read {
            return StoredValue::deserialize(deserializer).map(Some);
        }
        let mut stored = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        let read = self.skill.load(&mut stored).map_err(D::Error::custom);
        read.map(|()| None)
    }
}
