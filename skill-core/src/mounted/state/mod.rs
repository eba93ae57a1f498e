//! The states of the mounted skills as one JSON object.

pub(crate) mod config_fields;
pub(crate) mod stored;

use super::registry::{Mountable, NewEntry, Registry, SkillList};
use super::{Entry, EntryKind, MountError, Mounted};
use crate::SkillSpec;
use crate::bounds::PartialJson;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};
use skill_agent_schema::{
    MAX_DEPTH, Problem, ReadError, StateError, Update, is_full, join, value_is_too_deep,
};
use std::hash::{Hash, Hasher};
use std::ptr;

impl Mounted {
    /// Mounts the skills in a list whose state keys occur in an object. Each gets its default options, and the object's value as
    /// its state. A missing field gets the value of a new state. A map or list must be complete. The skills are mounted in the
    /// order of the object, except that requirements come first. The list becomes the registry.
    ///
    /// # Errors
    /// Returns every problem with its path: unknown keys, wrong types, missing requirements. A required document is always
    /// missing, because it has no state. In that case create the value with [`with_registry`](Self::with_registry), mount the
    /// document, and then call [`set`](Self::set).
    pub fn restore<L: SkillList>(state: &Value) -> Result<Self, StateError> {
        let mut mounted = Self::with_registry(Registry::of::<L>());
        mounted.update(state, Update::Replace)?;
        Ok(mounted)
    }

    /// Merges an object into the states, like [`Agent::set`](crate::Agent::set) for an agent. Skills in the registry that are not
    /// yet mounted are mounted with their default options.
    ///
    /// # Errors
    /// Returns every problem with its path. Nothing has changed.
    pub fn set(&mut self, patch: &Value) -> Result<(), StateError> {
        self.update(patch, Update::Patch)
    }

    fn update(&mut self, document: &Value, update: Update) -> Result<(), StateError> {
        let mut problems = Vec::new();
        let next = self.updated(document, update, "", &mut problems);
        if let Some(error) = StateError::from_problems(problems) {
            return Err(error);
        }
        if let Some(next) = next {
            *self = next;
        }
        Ok(())
    }

    /// Returns the skills after an object has been applied to them. `at` is the object's path. A whole object unmounts the skills
    /// that it lacks. The other skills keep their options.
    pub(crate) fn updated(
        &self,
        document: &Value,
        update: Update,
        at: &str,
        problems: &mut Vec<Problem>,
    ) -> Option<Self> {
        if value_is_too_deep(document) {
            let error = ReadError::TooDeep { max: MAX_DEPTH };
            problems.push(Problem::new(at, error.to_string()));
            return None;
        }
        let Some(document) = document.as_object() else {
            problems.push(Problem::new(at, "expected an object"));
            return None;
        };
        let before = problems.len();
        let mut next = self.clone();
        if update == Update::Replace {
            let is_kept = |spec: &SkillSpec| document.contains_key(spec.state_key);
            next.entries
                .retain(|entry| entry.spec().is_none_or(is_kept));
        }
        let new = next.skills_to_mount(document, at, problems);
        next.mount_fresh(&new, at, problems);
        if next.entries.len() < self.entries.len() + new.len() && problems.len() == before {
            next.report_unmet_requirement(at, problems);
        }
        for (key, value) in document {
            if is_full(problems) {
                return None;
            }
            if let Some(skill) = next.skill_mut(key) {
                skill.update(value, update, &join(at, key), problems);
            }
        }
        (problems.len() == before).then_some(next)
    }

    /// Returns the unmounted skills in the registry whose state keys occur in an object.
    fn skills_to_mount(
        &self,
        patch: &Map<String, Value>,
        at: &str,
        problems: &mut Vec<Problem>,
    ) -> Vec<NewEntry> {
        let mounted = || self.specs().map(|spec| spec.state_key);
        let mut new = Vec::new();
        for key in patch
            .keys()
            .filter(|key| !mounted().any(|known| known == *key))
        {
            if is_full(problems) {
                return new;
            }
            match self.registry.find_by_key(key) {
                Ok(Some(entry)) => new.push(NewEntry::Skill(*entry)),
                Err(error) => problems.push(Problem::new(join(at, key), error.to_string())),
                Ok(None) if self.document(key).is_some() => {
                    problems.push(Problem::new(join(at, key), "a document has no state"));
                }
                Ok(None) => {
                    let may_be = self.registry.entries().iter();
                    let known = mounted().chain(may_be.map(|entry| entry.spec.state_key));
                    problems.push(Problem::unknown_field(join(at, key), key, known));
                }
            }
        }
        new
    }

    fn mount_fresh(&mut self, new: &[NewEntry], at: &str, problems: &mut Vec<Problem>) {
        let order = self.order_of(new).unwrap_or_else(|cycle| {
            problems.push(Problem::new(at, cycle.to_string()));
            new.to_vec()
        });
        let mut report = |new: &NewEntry, result: Result<(), MountError>| {
            if let Err(error) = result {
                let path = join(at, new.meta().state_key().unwrap_or_default());
                problems.push(Problem::new(path, error.to_string()));
            }
        };
        // all skills are added before the requirements are checked, so that problems in their states are reported too
        for new in &order {
            report(new, self.add_default(new));
        }
        for new in &order {
            let checked = self.check_requirements(new.meta());
            report(
                new,
                checked.and_then(|()| self.check_references_to(new.meta())),
            );
        }
    }

    fn report_unmet_requirement(&self, at: &str, problems: &mut Vec<Problem>) {
        if let Some((_, error)) = self.unmet_requirement() {
            problems.push(Problem::new(at, error.to_string()));
        }
    }

    /// Returns the schema of the object. Every skill is optional.
    pub(crate) fn state_schema(mountable: &[Mountable], generator: &mut SchemaGenerator) -> Schema {
        let properties = mountable.iter().map(|entry| {
            let schema = (entry.skill.state.schema)(generator);
            (entry.spec.state_key.to_owned(), schema.to_value())
        });
        let properties: Map<String, Value> = properties.collect();
        json_schema!({
            "description": "The skills that are mounted at run time.",
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        })
    }

    /// Returns the state values that violate a constraint, with their paths below `at`.
    pub(crate) fn violations(&self, at: &str, quotes: bool) -> Vec<Problem> {
        let skills = self.entries.iter().filter_map(Entry::skill);
        let violations = skills.flat_map(|skill| {
            let (value, _) = skill.value();
            let spec = skill.spec();
            spec.state_problems(&value, &join(at, spec.state_key), quotes)
        });
        violations.collect()
    }

    /// Returns the parts of the states that JSON can represent, and the error for the first value that it cannot represent.
    pub(crate) fn value(&self) -> PartialJson {
        let mut object = Map::new();
        let mut unwritable = None;
        for skill in self.entries.iter().filter_map(Entry::skill) {
            let key = skill.spec().state_key;
            let (value, error) = skill.value();
            object.insert(key.to_owned(), value);
            unwritable = unwritable.or_else(|| error.map(|error| error.below(key)));
        }
        (Value::Object(object), unwritable)
    }
}

impl Serialize for Mounted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let skills = self.entries.iter().filter_map(Entry::skill);
        let mut map = serializer.serialize_map(Some(skills.clone().count()))?;
        for skill in skills {
            map.serialize_entry(skill.spec().state_key, skill.serialized())?;
        }
        map.end()
    }
}

impl PartialEq for Mounted {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.enabled == other.enabled && self.kind == other.kind
    }
}

impl PartialEq for EntryKind {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Skill(one), Self::Skill(two)) => {
                one.skill_type() == two.skill_type()
                    && one.config() == two.config()
                    && (ptr::addr_eq(one.state(), two.state()) || {
                        let ((a, error_a), (b, error_b)) = (one.value(), two.value());
                        error_a.is_none() && error_b.is_none() && a == b
                    })
            }
            (Self::Document(one), Self::Document(two)) => one.is_same(&**two),
            _ => false,
        }
    }
}

impl Eq for Mounted {}
impl Eq for Entry {}

impl Hash for Mounted {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for entry in &self.entries {
            entry.name().hash(state);
            entry.enabled.hash(state);
            if let Some(skill) = entry.skill() {
                skill.value().0.hash(state);
            }
        }
    }
}
