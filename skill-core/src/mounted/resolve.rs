//! The order in which skills that require each other are mounted.

use super::entry_meta::EntryMeta;
use super::host_agent::HostAgent;
use super::registry::{Mountable, NewEntry, SkillList};
use super::{MountError, Mounted};
use crate::Directive;
use crate::json::{Problem, StateError, join};
use serde_json::{Map, Value};
use std::borrow::Cow;

impl Mounted {
    /// The names of what has to be mounted for these skills and documents of the registry to be mounted, in order: what they
    /// require, as far as the registry has it, before them. What is mounted already is left out.
    ///
    /// # Errors
    /// A name that the registry does not have, a requirement that nobody has, a circle of requirements.
    pub fn resolve<'a>(
        &self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<Cow<'static, str>>, MountError> {
        let order = self.resolved(names)?;
        Ok(order.iter().map(NewEntry::name).collect())
    }

    /// Mounts a list of skills: all of them, or none. The order is that of the list, but that a skill comes after what it
    /// requires. `options` is an object with one key for each skill that has options, its state key.
    ///
    /// # Errors
    /// As [`mount`](Self::mount); a circle of requirements; options of a skill that is not in the list.
    pub fn mount_all<L: SkillList>(
        &mut self,
        options: &Value,
    ) -> Result<Vec<Directive>, MountError> {
        let mut wanted = Vec::new();
        for new in L::entries().into_iter().map(NewEntry::Skill) {
            if !self.has(&new)? {
                wanted.push(new);
            }
        }
        self.mount_set(&self.order_of(&wanted)?, &L::entries(), options)
    }

    /// Mounts skills and documents of the registry and what they require: all of them, or none. `options` is as that of
    /// [`mount_all`](Self::mount_all).
    ///
    /// # Errors
    /// As [`mount`](Self::mount) and [`resolve`](Self::resolve); options of a skill that is not in the registry.
    pub fn mount_all_named<'a>(
        &mut self,
        names: impl IntoIterator<Item = &'a str>,
        options: &Value,
    ) -> Result<Vec<Directive>, MountError> {
        let set = self.resolved(names)?;
        let known = self.registry.entries().to_vec();
        self.mount_set(&set, &known, options)
    }

    fn resolved<'a>(
        &self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<NewEntry>, MountError> {
        let mut wanted: Vec<NewEntry> = Vec::new();
        for name in names {
            self.add_wanted(name, &mut wanted)?;
        }
        // what one of the set requires joins it; the set grows while it is gone through
        let mut at = 0;
        while at < wanted.len() {
            let new = wanted[at].clone();
            at += 1;
            for requirement in new.meta().requirements() {
                let is_wanted = wanted.iter().any(|new| requirement.is_met_by(new.meta()));
                if is_wanted || self.versions_of(requirement).next().is_some() {
                    continue;
                }
                match self.registry.find_for(requirement) {
                    Some(name) => self.add_wanted(name, &mut wanted)?,
                    None => return Err(self.missing_requirement(new.meta(), requirement)),
                }
            }
        }
        self.order_of(&wanted)
    }

    /// Adds something of the registry that is neither mounted nor wanted already.
    fn add_wanted(&self, name: &str, wanted: &mut Vec<NewEntry>) -> Result<(), MountError> {
        let new = self.look_up(name)?;
        if !self.has(&new)? && !wanted.iter().any(|other| other.meta().name() == name) {
            wanted.push(new);
        }
        Ok(())
    }

    fn mount_set(
        &mut self,
        set: &[NewEntry],
        known: &[Mountable],
        options: &Value,
    ) -> Result<Vec<Directive>, MountError> {
        let nothing = Value::Object(Map::new());
        let options = options_of(set, known, options)?;
        let mut next = self.clone();
        let mut directives = Vec::new();
        for new in set {
            let key = new.meta().state_key();
            let own = key.and_then(|key| options.get(key)).unwrap_or(&nothing);
            directives.extend(next.mount_new(new, own)?);
        }
        *self = next;
        Ok(directives)
    }

    /// The set in an order in which each comes after what it requires of the set, and else as it is given.
    pub(super) fn order_of(&self, set: &[NewEntry]) -> Result<Vec<NewEntry>, MountError> {
        let metas: Vec<_> = set.iter().map(NewEntry::meta).collect();
        let order = self.order(&metas)?.into_iter();
        Ok(order.map(|at| set[at].clone()).collect())
    }

    /// The same as places in the set. What the agent has beside needs no place.
    pub(super) fn order(&self, set: &[EntryMeta<'_>]) -> Result<Vec<usize>, MountError> {
        let mut order = Order {
            host: self.host,
            set,
            done: Vec::new(),
            open: Vec::new(),
        };
        for at in 0..set.len() {
            order.visit(at)?;
        }
        Ok(order.done)
    }
}

/// The options by state key; of the set only a skill takes any.
fn options_of<'a>(
    set: &[NewEntry],
    known: &[Mountable],
    options: &'a Value,
) -> Result<&'a Map<String, Value>, MountError> {
    let keys = || known.iter().map(|entry| entry.spec.state_key);
    let problem = match options.as_object() {
        None => Problem::new("", "expected an object"),
        Some(object) => match object.keys().find(|key| !keys().any(|known| known == *key)) {
            None => return Ok(object),
            Some(key) => unknown_options(key, set, known),
        },
    };
    let source = StateError::from(problem);
    Err(MountError::OptionsOfAll { source })
}

/// Why there are no options under `key`.
fn unknown_options(key: &str, set: &[NewEntry], known: &[Mountable]) -> Problem {
    let path = join("", key);
    if set.iter().any(|new| new.is_document(key)) {
        return Problem::new(path, "a document takes no options");
    }
    match known.iter().find(|entry| entry.spec.name == key) {
        Some(entry) => {
            let key = entry.spec.state_key;
            Problem::new(path, format!("options go by the state key; write `{key}`"))
        }
        None => Problem::unknown_field(path, key, known.iter().map(|entry| entry.spec.state_key)),
    }
}

struct Order<'a> {
    host: HostAgent,
    set: &'a [EntryMeta<'a>],
    done: Vec<usize>,
    /// Those on the way to the one that is visited.
    open: Vec<usize>,
}

impl Order<'_> {
    fn visit(&mut self, at: usize) -> Result<(), MountError> {
        if self.done.contains(&at) {
            return Ok(());
        }
        if let Some(start) = self.open.iter().position(|open| *open == at) {
            let path = self.open[start..].iter().chain([&at]);
            let path = path.map(|at| self.set[*at].display_name()).collect();
            return Err(MountError::Cycle { path });
        }
        self.open.push(at);
        let host = self.host;
        let requirements = self.set[at].requirements().into_iter();
        for requirement in requirements.filter(|requirement| !host.satisfies(*requirement)) {
            if let Some(to) = self
                .set
                .iter()
                .position(|meta| requirement.is_met_by(*meta))
            {
                self.visit(to)?;
            }
        }
        self.open.pop();
        self.done.push(at);
        Ok(())
    }
}
