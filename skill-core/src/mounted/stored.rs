//! The stored form of mounted skills, in the order of mounting.

use super::erased::ErasedSkill;
use super::registry::{Mountable, NewEntry};
use super::{Entry, EntryKind, MountError, Mounted};
use crate::bounds::StoredState;
use crate::error::full_text;
use crate::stored::StoredValue;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};
use std::fmt;

/// The length of the tuple for a mounted skill: name, version, fingerprint of the state's schema, whether it is enabled, mount
/// options, state. A document has no fingerprint, options or state; its content comes from the registry when it is read.
const PARTS: usize = 6;

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoredMounted {
    /// The skills whose options this build does not accept. They have the default configuration.
    pub other_options: Vec<String>,
    /// The skills whose state `Hooks::restore` converted from another shape.
    pub migrated: Vec<String>,
    /// The skills and documents that were left out.
    pub forgotten: Vec<String>,
}

impl Mounted {
    /// Restores the mounted skills from a store, except forgotten ones. Skills are found in the registry by name. A state of
    /// another shape is converted by `Hooks::restore`.
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
            // the requirements of a document, and the skills of the agent, may have changed since the log was written
            Some((name, fault)) => Err(erased_serde::Error::custom(format_args!(
                "{fault}; or give `{name}` up with `.forget(\"skills.{name}\")`"
            ))),
            None => Ok(restored),
        }
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

/// Reads one mounted skill; `None` if it is forgotten.
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
        let (mut skill, are_options_valid) = (mountable.remount)(options);
        if !are_options_valid {
            restored.other_options.push(name);
        }
        let state = StateSeed {
            is_same_shape: shape == skill.schema_fingerprint(),
            skill: &mut *skill,
            mountable: &mountable,
            version: version.as_deref().unwrap_or(""),
            migrated: &mut restored.migrated,
        };
        seq.next_element_seed(state)?.ok_or_else(|| missing(5))?;
        let kind = EntryKind::Skill(skill);
        Ok(Some(Entry { kind, enabled }))
    }
}

/// Reads the state of a skill that is already mounted.
struct StateSeed<'a> {
    skill: &'a mut dyn ErasedSkill,
    mountable: &'a Mountable,
    version: &'a str,
    is_same_shape: bool,
    migrated: &'a mut Vec<String>,
}

impl<'de> DeserializeSeed<'de> for StateSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        use serde::Deserialize;
        let skill = self.skill;
        if self.is_same_shape {
            let mut stored = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
            return skill.load(&mut stored).map_err(D::Error::custom);
        }
        let name = self.mountable.spec.name;
        let Some(old) = StoredValue::deserialize(deserializer)?.to_json() else {
            return Err(D::Error::custom(format_args!(
                "the state of the mounted skill `{name}` was stored in another shape, with keys that JSON cannot have; give it up with `.forget(\"skills.{name}\")`"
            )));
        };
        match skill.migrate(self.version, old) {
            Some(Ok(())) => {
                self.migrated.push(name.to_owned());
                Ok(())
            }
            Some(Err(error)) => Err(D::Error::custom(format_args!(
                "the state of the mounted skill `{name}` was stored in another shape, which `.forget(\"skills.{name}\")` gives up: {}",
                full_text(error.inner())
            ))),
            None => Err(D::Error::custom(format_args!(
                "the state of the mounted skill `{name}` was stored in another shape; implement `Hooks::restore`, or give it up with `.forget(\"skills.{name}\")`"
            ))),
        }
    }
}
