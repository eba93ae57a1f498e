//! Mounting and unmounting.

use super::document::Document;
use super::entry_meta::{EntryMeta, display_text};
use super::registry::NewEntry;
use super::{Entry, EntryKind, MountError, Mounted};
use crate::json::{Problem, StateError, join, nearest, shorten};
use crate::{Directive, Origin, Skill};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::Arc;

impl Mounted {
    /// Mounts a skill with a fresh state. `options` are laid over its default configuration; what it requires has to be
    /// there already, mounted or as a skill of the agent.
    ///
    /// Gives a [`Directive::RegisterAction`] for each of its actions; none, and `options` are not looked at, when the skill
    /// is mounted already.
    ///
    /// # Errors
    /// A missing requirement or one of the wrong version, a name, state key or action that is taken, an async action, wrong
    /// options.
    pub fn mount<S: Skill>(&mut self, options: &Value) -> Result<Vec<Directive>, MountError> {
        self.mount_new(&NewEntry::of::<S>(), options)
    }

    /// Mounts a document, and registers it. What it requires has to be there already, as for a skill; nothing is done when it
    /// is mounted.
    ///
    /// # Errors
    /// A missing requirement or one of the wrong version, a missing tool or toolset, a name that is taken.
    pub fn mount_document(&mut self, document: Arc<dyn Document>) -> Result<(), MountError> {
        let new = NewEntry::Document(Arc::clone(&document));
        if !self.has(&new)? {
            self.add(self.entries.len(), &new, &no_options())?;
            self.registry.add_document(document);
        }
        Ok(())
    }

    /// Adds a document to the registry, or a later reading of one in its place, so that it can be mounted by name: by a
    /// signal, and from a store.
    pub fn register_document(&mut self, document: Arc<dyn Document>) {
        self.registry.add_document(document);
    }

    /// As [`mount`](Self::mount) and [`mount_document`](Self::mount_document) for what the registry has under that name. A
    /// document takes no options: `{}`.
    ///
    /// # Errors
    /// As [`mount`](Self::mount), and a name that the registry does not have.
    pub fn mount_named(
        &mut self,
        name: &str,
        options: &Value,
    ) -> Result<Vec<Directive>, MountError> {
        let new = self.look_up(name)?;
        self.mount_new(&new, options)
    }

    /// What the registry has under that name; but what is mounted is itself, be there a later reading of a document, or a
    /// document called like a skill.
    pub(super) fn look_up(&self, name: &str) -> Result<NewEntry, MountError> {
        let itself = match self.find(name).map(|at| &self.entries[at].kind) {
            Some(EntryKind::Document(mounted)) => Some(NewEntry::Document(Arc::clone(mounted))),
            Some(EntryKind::Skill(skill)) => self.registry.find_type(skill.kind()),
            None => None,
        };
        itself.map_or_else(|| self.registry.find(name), Ok)
    }

    /// Unmounts a skill and drops its state.
    ///
    /// Gives a [`Directive::DeregisterAction`] for each of its actions; none when the skill is not mounted, or disabled.
    ///
    /// # Errors
    /// When a mounted skill requires it, or another type is mounted under its name.
    pub fn unmount<S: Skill>(&mut self) -> Result<Vec<Directive>, MountError> {
        let new = NewEntry::of::<S>();
        match self.find(S::NAME) {
            Some(at) if self.entries[at].is(&new) => self.unmount_at(at),
            Some(at) => Err(self.name_conflict(at, new.meta())),
            None => Ok(Vec::new()),
        }
    }

    /// The same for whatever is mounted under that name.
    ///
    /// # Errors
    /// When a mounted skill requires it.
    pub fn unmount_named(&mut self, name: &str) -> Result<Vec<Directive>, MountError> {
        match self.find(name) {
            Some(at) => self.unmount_at(at),
            None => Ok(Vec::new()),
        }
    }

    /// Puts a skill in the place of the one that is mounted under its name, be that of another type (a newer version) or
    /// the same one with other options. The state begins anew, and the skill is enabled.
    ///
    /// Gives the directives of unmounting the old and mounting the new one.
    ///
    /// # Errors
    /// When nothing is mounted under that name; as [`mount`](Self::mount); when its version will not do for a skill that
    /// requires it, or the two would require each other.
    pub fn replace<S: Skill>(&mut self, options: &Value) -> Result<Vec<Directive>, MountError> {
        self.replace_new(&NewEntry::of::<S>(), options)
    }

    /// Puts a document in the place of what is mounted under its name: a skill, or another reading of the document, which stays
    /// disabled if it is. Gives the deregistrations of the skill.
    ///
    /// # Errors
    /// As [`replace`](Self::replace).
    pub fn replace_document(
        &mut self,
        document: Arc<dyn Document>,
    ) -> Result<Vec<Directive>, MountError> {
        let new = NewEntry::Document(Arc::clone(&document));
        let directives = self.replace_new(&new, &no_options())?;
        self.registry.add_document(document);
        Ok(directives)
    }

    fn replace_new(
        &mut self,
        new: &NewEntry,
        options: &Value,
    ) -> Result<Vec<Directive>, MountError> {
        let Some(at) = self.find_key(&new.meta().key()) else {
            return Err(self.not_mounted(new.meta().name()));
        };
        let mut next = self.clone();
        let old = next.entries.remove(at);
        next.add(at, new, options)?;
        if let Some((_, error)) = next.unmet_requirement() {
            return Err(error);
        }
        if let (EntryKind::Document(_), NewEntry::Document(_)) = (&old.kind, new) {
            next.entries[at].enabled = old.enabled;
        }
        let mut directives = old.deregistrations();
        directives.extend(next.entries[at].registrations());
        *self = next;
        Ok(directives)
    }

    /// Shows a disabled skill or document again. Gives the registrations of its actions; none when it is enabled.
    ///
    /// # Errors
    /// When it is not mounted.
    pub fn enable(&mut self, name: &str) -> Result<Vec<Directive>, MountError> {
        let at = self.find(name).ok_or_else(|| self.not_mounted(name))?;
        let entry = &mut self.entries[at];
        if std::mem::replace(&mut entry.enabled, true) {
            return Ok(Vec::new());
        }
        Ok(entry.registrations().collect())
    }

    /// Hides a skill and keeps its state: its tools are not shown, its actions cannot be called, and it sees no signal.
    /// What requires it is still served, but documents that need its tools are hidden with it. Gives the deregistrations of its
    /// actions; none when it is disabled.
    ///
    /// # Errors
    /// When it is not mounted.
    pub fn disable(&mut self, name: &str) -> Result<Vec<Directive>, MountError> {
        let at = self.find(name).ok_or_else(|| self.not_mounted(name))?;
        let deregistrations = self.entries[at].deregistrations();
        self.entries[at].enabled = false;
        Ok(deregistrations)
    }

    pub(super) fn mount_new(
        &mut self,
        new: &NewEntry,
        options: &Value,
    ) -> Result<Vec<Directive>, MountError> {
        if self.has(new)? {
            return Ok(Vec::new());
        }
        let at = self.entries.len();
        self.add(at, new, options)?;
        Ok(self.entries[at].registrations().collect())
    }

    /// Whether that very skill or document is mounted.
    pub(super) fn has(&self, new: &NewEntry) -> Result<bool, MountError> {
        match self.find_key(&new.meta().key()) {
            None => Ok(false),
            Some(at) if self.entries[at].is(new) => Ok(true),
            Some(at) => Err(self.name_conflict(at, new.meta())),
        }
    }

    /// The place of what has a name that a person takes for this one.
    fn find_key(&self, key: &str) -> Option<usize> {
        let mut entries = self.entries.iter();
        entries.position(|entry| entry.meta().key() == key)
    }

    /// Adds what is not mounted; what is wrong is told before anything changes.
    fn add(&mut self, at: usize, new: &NewEntry, options: &Value) -> Result<(), MountError> {
        self.check_names(new.meta())?;
        self.check_requirements(new.meta())?;
        self.insert(at, new, options)
    }

    /// Adds something whose names are free.
    fn insert(&mut self, at: usize, new: &NewEntry, options: &Value) -> Result<(), MountError> {
        let kind = create_entry(new, options)?;
        let enabled = true;
        self.entries.insert(at, Entry { kind, enabled });
        Ok(())
    }

    /// Adds a skill with its default options, and leaves it to the caller whether its requirements are met.
    pub(super) fn add_default(&mut self, new: &NewEntry) -> Result<(), MountError> {
        if self.has(new)? {
            return Ok(());
        }
        self.check_names(new.meta())?;
        self.insert(self.entries.len(), new, &no_options())
    }

    fn unmount_at(&mut self, at: usize) -> Result<Vec<Directive>, MountError> {
        let mut rest = self.clone();
        let entry = rest.entries.remove(at);
        if let Some((by, _)) = rest.unmet_requirement() {
            let skill = entry.meta().display_name();
            return Err(MountError::Required { skill, by });
        }
        *self = rest;
        Ok(entry.deregistrations())
    }

    /// Why something is not what is mounted under its name.
    fn name_conflict(&self, at: usize, refused: EntryMeta<'_>) -> MountError {
        let mounted = self.entries[at].meta();
        match (mounted, refused) {
            (EntryMeta::Document(_), EntryMeta::Document(_)) => MountError::AnotherDocument {
                skill: refused.display_name(),
                mounted: mounted.display_name(),
            },
            _ => MountError::AnotherType {
                skill: mounted.display_name(),
                mounted: mounted.kind().into(),
                refused: refused.kind().into(),
            },
        }
    }

    fn not_mounted(&self, name: &str) -> MountError {
        MountError::NotMounted {
            name: shorten(name, 64).into_owned(),
            suggestion: self.nearest(name),
        }
    }

    /// What is mounted under the nearest name.
    pub(super) fn nearest(&self, name: &str) -> Option<Cow<'static, str>> {
        nearest(name, self.names()).map(display_text)
    }
}

impl Entry {
    /// The registrations of its actions (`Effect.RegisterAction` of seed 000).
    pub(super) fn registrations(&self) -> impl Iterator<Item = Directive> {
        self.spec().into_iter().flat_map(|spec| {
            let actions = spec.actions.iter();
            actions.map(|action| Directive::RegisterAction {
                skill: spec.name.into(),
                action: action.name.into(),
                origin: origin(spec.name),
            })
        })
    }

    /// The deregistrations of what is registered.
    fn deregistrations(&self) -> Vec<Directive> {
        if !self.enabled {
            return Vec::new();
        }
        let Some(spec) = self.spec() else {
            return Vec::new();
        };
        let actions = spec.actions.iter();
        actions
            .map(|action| Directive::DeregisterAction {
                skill: spec.name.into(),
                action: action.name.into(),
                origin: origin(spec.name),
            })
            .collect()
    }

    /// Whether it is what `new` would mount.
    fn is(&self, new: &NewEntry) -> bool {
        match (&self.kind, new) {
            (EntryKind::Skill(skill), NewEntry::Skill(new)) => skill.kind() == (new.kind)(),
            (EntryKind::Document(document), NewEntry::Document(new)) => document.is_same(&**new),
            _ => false,
        }
    }
}

/// A skill with its first state, or a document.
fn create_entry(new: &NewEntry, options: &Value) -> Result<EntryKind, MountError> {
    let wrong = |source| MountError::Options {
        skill: new.meta().display_name(),
        source,
    };
    match new {
        NewEntry::Skill(skill) => {
            if let Some(action) = skill.spec.actions.iter().find(|action| action.is_async) {
                return Err(MountError::Async {
                    skill: skill.spec.name.into(),
                    action: action.name.into(),
                });
            }
            Ok(EntryKind::Skill((skill.mount)(options).map_err(wrong)?))
        }
        NewEntry::Document(document) => {
            takes_no_options(document.id(), options).map_err(wrong)?;
            Ok(EntryKind::Document(Arc::clone(document)))
        }
    }
}

fn takes_no_options(document: &str, options: &Value) -> Result<(), StateError> {
    let problem = match options.as_object().map(|object| object.keys().next()) {
        Some(None) => return Ok(()),
        Some(Some(key)) => Problem::new(join(document, key), "a document takes no options"),
        None => Problem::new(document, "expected an object"),
    };
    Err(StateError::from(problem))
}

/// What the default configuration is left as it is by.
fn no_options() -> Value {
    Value::Object(Map::new())
}

fn origin(skill: &'static str) -> Origin {
    let mut origin = Origin::new(skill);
    origin.tags.push("skill".into());
    origin
}
