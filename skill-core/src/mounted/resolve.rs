//! The order in which skills that require each other are mounted.

use super::registry::{Mountable, SkillList};
use super::{MountError, Mounted};
use crate::compose::split;
use crate::json::{Problem, StateError, join};
use crate::{Directive, SkillSpec};
use serde_json::{Map, Value};

impl Mounted {
    /// The names of what has to be mounted for these skills of the registry to be mounted, in order: what they require,
    /// as far as the registry has it, before them. What is mounted already is left out.
    ///
    /// # Errors
    /// A name that the registry does not have, a requirement that nobody has, a circle of requirements.
    pub fn resolve<'a>(
        &self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<&'static str>, MountError> {
        let order = self.resolved(names)?;
        Ok(order.iter().map(|entry| entry.spec.name).collect())
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
        for entry in L::entries() {
            if !self.has(&entry)? {
                wanted.push(entry);
            }
        }
        self.mount_set(&order_of(&wanted)?, &L::entries(), options)
    }

    /// Mounts skills of the registry and what they require: all of them, or none. `options` is as that of
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
    ) -> Result<Vec<Mountable>, MountError> {
        let mut wanted = Vec::new();
        for name in names {
            self.want(name, &mut wanted)?;
        }
        // what a skill of the set requires joins it; the set grows while it is gone through
        let mut at = 0;
        while at < wanted.len() {
            let skill: &SkillSpec = wanted[at].spec;
            at += 1;
            for requirement in skill.requires {
                let (name, _) = split(requirement);
                if self.required(name).is_none() {
                    self.want(name, &mut wanted).map_err(|error| match error {
                        MountError::Unregistered { .. } => MountError::MissingDependency {
                            skill: skill.name.into(),
                            required: name.into(),
                        },
                        other => other,
                    })?;
                }
            }
        }
        order_of(&wanted)
    }

    /// Adds a skill of the registry that is neither mounted nor wanted already.
    fn want(&self, name: &str, wanted: &mut Vec<Mountable>) -> Result<(), MountError> {
        let entry = *self.registry.named(name)?;
        if !self.has(&entry)? && !wanted.iter().any(|it| it.spec.name == entry.spec.name) {
            wanted.push(entry);
        }
        Ok(())
    }

    fn mount_set(
        &mut self,
        set: &[Mountable],
        known: &[Mountable],
        options: &Value,
    ) -> Result<Vec<Directive>, MountError> {
        let nothing = Value::Object(Map::new());
        let options = options_of(known, options)?;
        let mut next = self.clone();
        let mut directives = Vec::new();
        for entry in set {
            let own = options.get(entry.spec.state_key).unwrap_or(&nothing);
            directives.extend(next.mount_entry(entry, own)?);
        }
        *self = next;
        Ok(directives)
    }
}

/// The options by state key.
fn options_of<'a>(
    known: &[Mountable],
    options: &'a Value,
) -> Result<&'a Map<String, Value>, MountError> {
    let keys = || known.iter().map(|entry| entry.spec.state_key);
    let problem = match options.as_object() {
        None => Problem::new("", "expected an object"),
        Some(object) => match object.keys().find(|key| !keys().any(|it| it == *key)) {
            None => return Ok(object),
            Some(key) => Problem::unknown_field(join("", key), key, keys()),
        },
    };
    let source = StateError::from(problem);
    Err(MountError::OptionsOfAll { source })
}

/// The skills in an order in which each comes after those of the set that it requires, and else as they are given.
pub(super) fn order_of(set: &[Mountable]) -> Result<Vec<Mountable>, MountError> {
    let specs: Vec<_> = set.iter().map(|entry| entry.spec).collect();
    Ok(order(&specs)?.into_iter().map(|at| set[at]).collect())
}

/// The same as places in the set.
pub(super) fn order(set: &[&'static SkillSpec]) -> Result<Vec<usize>, MountError> {
    let mut order = Order {
        set,
        done: Vec::new(),
        open: Vec::new(),
    };
    for at in 0..set.len() {
        order.visit(at)?;
    }
    Ok(order.done)
}

struct Order<'a> {
    set: &'a [&'static SkillSpec],
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
            let path = path.map(|at| self.set[*at].name.into()).collect();
            return Err(MountError::Circle { path });
        }
        self.open.push(at);
        for requirement in self.set[at].requires {
            let (name, _) = split(requirement);
            if let Some(to) = self.set.iter().position(|it| it.name == name) {
                self.visit(to)?;
            }
        }
        self.open.pop();
        self.done.push(at);
        Ok(())
    }
}
