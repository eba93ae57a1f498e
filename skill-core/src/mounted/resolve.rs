//! The order in which skills that require each other are mounted.

use super::entry_meta::EntryMeta;
use super::host_agent::HostAgent;
use super::registry::{Mountable, New, SkillList};
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
        Ok(order.iter().map(New::name).collect())
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
        for new in L::entries().into_iter().map(New::Skill) {
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
    ) -> Result<Vec<New>, MountError> {
        let mut wanted: Vec<New> = Vec::new();
        for name in names {
            self.want(name, &mut wanted)?;
        }
        // what one of the set requires joins it; the set grows while it is gone through
        let mut at = 0;
        while at < wanted.len() {
            let new = wanted[at].clone();
            at += 1;
            for need in new.about().needs() {
                let is_wanted = wanted.iter().any(|it| need.is_served_by(it.about()));
                if is_wanted || self.versions_of(need).next().is_some() {
                    continue;
                }
                match self.registry.serving(need) {
                    Some(name) => self.want(name, &mut wanted)?,
                    None => return Err(self.missing(new.about(), need)),
                }
            }
        }
        self.order_of(&wanted)
    }

    /// Adds something of the registry that is neither mounted nor wanted already.
    fn want(&self, name: &str, wanted: &mut Vec<New>) -> Result<(), MountError> {
        let new = self.known(name)?;
        if !self.has(&new)? && !wanted.iter().any(|it| it.about().name() == name) {
            wanted.push(new);
        }
        Ok(())
    }

    fn mount_set(
        &mut self,
        set: &[New],
        known: &[Mountable],
        options: &Value,
    ) -> Result<Vec<Directive>, MountError> {
        let nothing = Value::Object(Map::new());
        let options = options_of(set, known, options)?;
        let mut next = self.clone();
        let mut directives = Vec::new();
        for new in set {
            let key = new.about().state_key();
            let own = key.and_then(|key| options.get(key)).unwrap_or(&nothing);
            directives.extend(next.mount_new(new, own)?);
        }
        *self = next;
        Ok(directives)
    }

    /// The set in an order in which each comes after what it requires of the set, and else as it is given.
    pub(super) fn order_of(&self, set: &[New]) -> Result<Vec<New>, MountError> {
        let abouts: Vec<_> = set.iter().map(New::about).collect();
        let order = self.order(&abouts)?.into_iter();
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
            order.call_env(at)?;
        }
        Ok(order.done)
    }
}

/// The options by state key; of the set only a skill takes any.
fn options_of<'a>(
    set: &[New],
    known: &[Mountable],
    options: &'a Value,
) -> Result<&'a Map<String, Value>, MountError> {
    let keys = || known.iter().map(|entry| entry.spec.state_key);
    let problem = match options.as_object() {
        None => Problem::new("", "expected an object"),
        Some(object) => match object.keys().find(|key| !keys().any(|it| it == *key)) {
            None => return Ok(object),
            Some(key) => no_options_of(key, set, known),
        },
    };
    let source = StateError::from(problem);
    Err(MountError::OptionsOfAll { source })
}

/// Why there are no options under `key`.
fn no_options_of(key: &str, set: &[New], known: &[Mountable]) -> Problem {
    let path = join("", key);
    if set.iter().any(|new| new.is_document(key)) {
        return Problem::new(path, "a document takes no options");
    }
    match known.iter().find(|entry| entry.spec.name == key) {
        Some(entry) => {
            let key = entry.spec.state_key;
            Problem::new(path, format!("options go by the state key; write `{key}`"))
        }
        None => Problem::unknown_field(path, key, known.iter().map(|it| it.spec.state_key)),
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
    fn call_env(&mut self, at: usize) -> Result<(), MountError> {
        if self.done.contains(&at) {
            return Ok(());
        }
        if let Some(start) = self.open.iter().position(|open| *open == at) {
            let path = self.open[start..].iter().chain([&at]);
            let path = path.map(|at| self.set[*at].shown_name()).collect();
            return Err(MountError::Circle { path });
        }
        self.open.push(at);
        let host = self.host;
        let needs = self.set[at].needs().into_iter();
        for need in needs.filter(|need| !host.meets(*need)) {
            if let Some(to) = self.set.iter().position(|it| need.is_served_by(*it)) {
                self.call_env(to)?;
            }
        }
        self.open.pop();
        self.done.push(at);
        Ok(())
    }
}
