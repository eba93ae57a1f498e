//! Mounts several skills and documents in requirement order.

use crate::Directive;
use crate::mounted::registry::{Mountable, NewEntry, SkillList};
use crate::mounted::rules::entry_meta::EntryMeta;
use crate::mounted::rules::host_agent::HostAgent;
use crate::mounted::{MountError, Mounted};
use serde_json::{Map, Value};
use skill_agent_schema::{Problem, StateError, join};
use std::borrow::Cow;

impl Mounted {
    /// Returns the skills and documents to mount for these names in the registry, in mounting order. Requirements come first.
    /// Skills and documents that are already mounted are left out.
    ///
    /// # Errors
    /// Fails if the registry does not have a name, if a requirement is not available, or if requirements form a cycle.
    pub fn resolve<'a>(
        &self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<Cow<'static, str>>, MountError> {
        let order = self.resolved(names)?;
        Ok(order.iter().map(NewEntry::name).collect())
    }

    /// Mounts a list of skills: all of them or none. They are mounted in list order, except that each comes after its
    /// requirements. `options` is an object with the options of skills by state key.
    ///
    /// # Errors
    /// Returns the same errors as [`mount`](Self::mount). Also fails if requirements form a cycle, or if there are options for a
    /// skill outside the list.
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

    /// Mounts skills and documents from the registry together with their requirements: all of them or none. `options` are as for
    /// [`mount_all`](Self::mount_all).
    ///
    /// # Errors
    /// Returns the same errors as [`mount`](Self::mount) and [`resolve`](Self::resolve). Also fails if there are options for a
    /// skill outside the registry.
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
        // the set grows during the loop, as the requirements of its elements are added
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

    /// Adds a skill or document from the registry to `wanted`, unless it is already mounted or already in `wanted`.
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
        for entry in known {
            let new = NewEntry::Skill(*entry);
            if let (Some(own), Ok(true)) = (options.get(entry.spec.state_key), self.has(&new)) {
                self.check_mounted_options(&new, own)?;
            }
        }
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

    /// Sorts the set so that each element comes after its requirements in the set. Otherwise the order is kept.
    pub(crate) fn order_of(&self, set: &[NewEntry]) -> Result<Vec<NewEntry>, MountError> {
        let metas: Vec<_> = set.iter().map(NewEntry::meta).collect();
        let order = self.order(&metas)?.into_iter();
        Ok(order.map(|at| set[at].clone()).collect())
    }

    /// Like [`order_of`](Self::order_of), but returns indices. Requirements that the host agent satisfies do not count.
    pub(crate) fn order(&self, set: &[EntryMeta<'_>]) -> Result<Vec<usize>, MountError> {
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

/// Checks that the keys of `options` are state keys of known skills.
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

/// Creates the problem for an options key that is not a state key.
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

/// A depth-first search for a requirement order.
struct Order<'a> {
    host: HostAgent,
    set: &'a [EntryMeta<'a>],
    done: Vec<usize>,
    /// The indices on the current path.
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
