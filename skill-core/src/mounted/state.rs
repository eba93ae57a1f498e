//! The states of mounted skills as one JSON object.

use super::registry::{Mountable, New, Registry, SkillList};
use super::{Entry, EntryKind, MountError, Mounted};
use crate::data::PartialJson;
use crate::json::{
    MAX_DEPTH, Problem, ReadError, StateError, WriteError, is_full, join, value_is_too_deep,
};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};
use std::hash::{Hash, Hasher};
use std::ptr;

impl Mounted {
    /// Mounts the skills of a list whose state keys an object has, in the order of the object but for requirements, each
    /// with its default options and the state that is given laid over a fresh one. The list becomes the registry.
    ///
    /// # Errors
    /// Every problem with its path: unknown keys, wrong types, requirements that are missing. A document that a skill requires is
    /// one of them, since it has no state: mount it with [`with_registry`](Self::with_registry), then [`set`](Self::set).
    pub fn restore<L: SkillList>(state: &Value) -> Result<Self, StateError> {
        let mut mounted = Self::with_registry(Registry::of::<L>());
        mounted.set(state)?;
        Ok(mounted)
    }

    /// Lays an object over the states: those of mounted skills merge, and skills of the registry that are not mounted are
    /// mounted with their default options.
    ///
    /// # Errors
    /// Every problem with its path; nothing has changed.
    pub fn set(&mut self, patch: &Value) -> Result<(), StateError> {
        let mut problems = Vec::new();
        let next = self.laid_over(patch, "", &mut problems);
        if let Some(error) = StateError::from_problems(problems) {
            return Err(error);
        }
        if let Some(next) = next {
            *self = next;
        }
        Ok(())
    }

    /// What [`set`](Self::set) makes of it; `at` is the path of the object.
    pub(crate) fn laid_over(
        &self,
        patch: &Value,
        at: &str,
        problems: &mut Vec<Problem>,
    ) -> Option<Self> {
        if value_is_too_deep(patch) {
            let error = ReadError::TooDeep { max: MAX_DEPTH };
            problems.push(Problem::new(at, error.to_string()));
            return None;
        }
        let Some(patch) = patch.as_object() else {
            problems.push(Problem::new(at, "expected an object"));
            return None;
        };
        let before = problems.len();
        let mut next = self.clone();
        let new = next.unmounted(patch, at, problems);
        next.mount_fresh(&new, at, problems);
        for (key, value) in patch {
            if is_full(problems) {
                return None;
            }
            let mut skills = next.entries.iter_mut().filter_map(Entry::skill_mut);
            if let Some(piece) = skills.find(|it| it.spec().state_key == key) {
                piece.overlay(value, &join(at, key), problems);
            }
        }
        (problems.len() == before).then_some(next)
    }

    /// The skills of the registry that an object names and that are not mounted.
    fn unmounted(
        &self,
        patch: &Map<String, Value>,
        at: &str,
        problems: &mut Vec<Problem>,
    ) -> Vec<New> {
        let mounted = || self.specs().map(|spec| spec.state_key);
        let mut new = Vec::new();
        for key in patch.keys().filter(|key| !mounted().any(|it| it == *key)) {
            if is_full(problems) {
                return new;
            }
            match self.registry.keyed(key) {
                Ok(Some(entry)) => new.push(New::Skill(*entry)),
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

    fn mount_fresh(&mut self, new: &[New], at: &str, problems: &mut Vec<Problem>) {
        let order = self.order_of(new).unwrap_or_else(|circle| {
            problems.push(Problem::new(at, circle.to_string()));
            new.to_vec()
        });
        let mut tell = |new: &New, result: Result<(), MountError>| {
            if let Err(error) = result {
                let path = join(at, new.about().state_key().unwrap_or_default());
                problems.push(Problem::new(path, error.to_string()));
            }
        };
        // all of them first: what is wrong with their states is told too
        for new in &order {
            tell(new, self.add_default(new));
        }
        for new in &order {
            tell(new, self.requirements(new.about()));
        }
    }

    /// The schema of the object: each of the skills may be there.
    pub(crate) fn state_schema(mountable: &[Mountable], generator: &mut SchemaGenerator) -> Schema {
        let properties = mountable.iter().map(|entry| {
            let schema = (entry.schema)(generator);
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

    /// The states as far as JSON can hold them, and the first thing that it cannot hold, with its path.
    pub(crate) fn value(&self) -> PartialJson {
        let mut object = Map::new();
        let mut lost = None;
        for piece in self.entries.iter().filter_map(Entry::skill) {
            let key = piece.spec().state_key;
            let (value, error) = piece.value();
            object.insert(key.to_owned(), value);
            lost = lost.or_else(|| error.map(|error| below(key, error)));
        }
        (Value::Object(object), lost)
    }
}

impl Serialize for Mounted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let skills = self.entries.iter().filter_map(Entry::skill);
        let mut map = serializer.serialize_map(Some(skills.clone().count()))?;
        for piece in skills {
            map.serialize_entry(piece.spec().state_key, piece.serialized())?;
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
                one.kind() == two.kind()
                    && one.config() == two.config()
                    && (ptr::addr_eq(one.state(), two.state()) || {
                        let ((a, lost_a), (b, lost_b)) = (one.value(), two.value());
                        lost_a.is_none() && lost_b.is_none() && a == b
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
            if let Some(piece) = entry.skill() {
                piece.value().0.hash(state);
            }
        }
    }
}

fn below(key: &str, error: WriteError) -> WriteError {
    match error {
        WriteError::NotFinite { path, value } => WriteError::NotFinite {
            path: match &*path {
                "" => key.to_owned(),
                path if path.starts_with('[') => format!("{key}{path}"),
                path => format!("{key}.{path}"),
            },
            value,
        },
        WriteError::Other(message) => WriteError::Other(format!("`{key}`: {message}")),
    }
}
