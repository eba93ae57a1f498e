//! Mounts and unmounts skills and documents.

use super::document::Document;
use super::entry::{create_entry, no_options};
use super::registry::NewEntry;
use super::{Entry, EntryKind, MountError, Mounted};
use crate::mounted::rules::entry_meta::{EntryMeta, display_text};
use crate::{Directive, Skill};
use serde_json::{Map, Value};
use skill_agent_grammar::nearest;
use skill_agent_schema::shorten_name;
use std::borrow::Cow;
use std::sync::Arc;

impl Mounted {
    /// Mounts a skill with a new state. `options` are merged into its default configuration. The skill's requirements must be
    /// mounted already, or listed by the agent.
    ///
    /// Returns a [`Directive::RegisterAction`] for each of the skill's actions. If the skill is already mounted with these
    /// options, or `options` is `{}`, does nothing and returns no directives.
    ///
    /// # Errors
    /// Fails if the skill is mounted with different options; if a requirement is missing or has the wrong version; if the name,
    /// the state key or an action is already used; if the skill has an async action; if the agent forbids a hint of one of its
    /// actions; if data could leak with the skill ([`DataFlow`](crate::policy::DataFlow)); or if the options are invalid.
    pub fn mount<S: Skill>(&mut self, options: &Value) -> Result<Vec<Directive>, MountError> {
        self.mount_new(&NewEntry::of::<S>(), options)
    }

    /// Mounts a document and adds it to the registry. As for a skill, its requirements must be mounted already. Does nothing if
    /// the document is already mounted.
    ///
    /// # Errors
    /// Fails if a requirement is missing or has the wrong version, if a tool or toolset is missing, or if the name is already
    /// used.
    pub fn mount_document(&mut self, document: Arc<dyn Document>) -> Result<(), MountError> {
        let new = NewEntry::Document(Arc::clone(&document));
        if !self.has(&new)? {
            self.add(self.entries.len(), &new, &no_options())?;
            self.registry.add_document(document);
        }
        Ok(())
    }

    /// Adds a document to the registry, or replaces an earlier version of the document there. The document can then be mounted by
    /// name, by a signal and from a store.
    pub fn register_document(&mut self, document: Arc<dyn Document>) {
        self.registry.add_document(document);
    }

    /// Like [`mount`](Self::mount) and [`mount_document`](Self::mount_document), for the skill or document with that name in the
    /// registry. The options for a document must be `{}`.
    ///
    /// # Errors
    /// Returns the same errors as [`mount`](Self::mount). Also fails if the registry does not have the name.
    pub fn mount_named(
        &mut self,
        name: &str,
        options: &Value,
    ) -> Result<Vec<Directive>, MountError> {
        let new = self.look_up(name)?;
        self.mount_new(&new, options)
    }

    /// Finds a skill or document in the registry by name.
    fn find_registered(&self, name: &str) -> Result<NewEntry, MountError> {
        let found = self.registry.find(name);
        found.map_err(|error| self.always_there(name).unwrap_or(error))
    }

    /// Returns the error for a skill or document that the agent lists, which therefore cannot be mounted or unmounted.
    fn always_there(&self, name: &str) -> Option<MountError> {
        Some(MountError::AlwaysThere {
            list: self.host.list_of(name)?,
            name: shorten_name(name).into_owned(),
            agent: self.host.0.agent.into(),
        })
    }

    /// Finds a skill or document in the registry by name. If one with that name is mounted, returns the mounted one, even if the
    /// registry has a later version of a document, or a document with the skill's name.
    pub(super) fn look_up(&self, name: &str) -> Result<NewEntry, MountError> {
        let mounted = match self.find(name).map(|at| &self.entries[at].kind) {
            Some(EntryKind::Document(document)) => Some(NewEntry::Document(Arc::clone(document))),
            Some(EntryKind::Skill(skill)) => self.registry.find_type(skill.skill_type()),
            None => None,
        };
        mounted.map_or_else(|| self.find_registered(name), Ok)
    }

    /// Unmounts a skill and drops its state.
    ///
    /// Returns a [`Directive::DeregisterAction`] for each of the skill's actions, or no directives if the skill is disabled or
    /// not mounted.
    ///
    /// # Errors
    /// Fails if a mounted skill requires this one, if a different type is mounted under its name, or if the agent lists it.
    pub fn unmount<S: Skill>(&mut self) -> Result<Vec<Directive>, MountError> {
        let new = NewEntry::of::<S>();
        match self.find(S::NAME) {
            Some(at) if self.entries[at].is(&new) => self.unmount_at(at),
            Some(at) => Err(self.name_conflict(at, new.meta())),
            None => self.always_there(S::NAME).map_or(Ok(Vec::new()), Err),
        }
    }

    /// Like [`unmount`](Self::unmount), for the skill or document with that name.
    ///
    /// # Errors
    /// Fails if a mounted skill or document requires this one, or if no mounted or registered skill or document has the name.
    pub fn unmount_named(&mut self, name: &str) -> Result<Vec<Directive>, MountError> {
        match self.find(name) {
            Some(at) => self.unmount_at(at),
            None => match self.find_registered(name) {
                Err(MountError::Unregistered { .. }) if self.nearest(name).is_some() => {
                    Err(self.not_mounted(name))
                }
                Err(error @ (MountError::Unregistered { .. } | MountError::AlwaysThere { .. })) => {
                    Err(error)
                }
                Ok(_) | Err(_) => Ok(Vec::new()),
            },
        }
    }

    /// Replaces the skill mounted under the name of `S`. The old skill may have a different type, such as an older version, or
    /// different options. The new skill has a new state and is enabled.
    ///
    /// Returns the directives of unmounting the old skill and mounting the new one.
    ///
    /// # Errors
    /// Returns the same errors as [`mount`](Self::mount). Also fails if nothing is mounted under that name, if a mounted skill
    /// requires a different version, or if the replacement would form a requirement cycle.
    pub fn replace<S: Skill>(&mut self, options: &Value) -> Result<Vec<Directive>, MountError> {
        self.replace_new(&NewEntry::of::<S>(), options)
    }

    /// Like [`replace`](Self::replace), with the skill or document with that name in the registry. A document that replaces a
    /// disabled one is disabled too.
    ///
    /// # Errors
    /// Returns the same errors as [`replace`](Self::replace). Also fails if the registry does not have the name.
    pub fn replace_named(
        &mut self,
        name: &str,
        options: &Value,
    ) -> Result<Vec<Directive>, MountError> {
        let new = self.find_registered(name)?;
        self.replace_new(&new, options)
    }

    /// Replaces the skill or document mounted under a document's name. If the replaced document was disabled, the new one is
    /// disabled too. Returns the deregistrations of a replaced skill.
    ///
    /// # Errors
    /// Returns the same errors as [`replace`](Self::replace).
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

    /// Enables a disabled skill or document. Returns the registrations of its actions, or no directives if it is already enabled.
    ///
    /// # Errors
    /// Fails if the skill or document is not mounted, or if data could leak from the agent once it is enabled.
    pub fn enable(&mut self, name: &str) -> Result<Vec<Directive>, MountError> {
        let at = self.find(name).ok_or_else(|| self.not_mounted(name))?;
        if self.entries[at].enabled {
            return Ok(Vec::new());
        }
        self.check_data_flow_with(self.entries[at].meta())?;
        self.entries[at].enabled = true;
        Ok(self.entries[at].registrations().collect())
    }

    /// Disables a skill or document and keeps its state. Its tools are hidden, its actions cannot be called, and it gets no
    /// signals. It still meets requirements, but documents that need its tools are not offered. Returns the deregistrations of
    /// its actions, or no directives if it is already disabled.
    ///
    /// # Errors
    /// Fails if the skill or document is not mounted.
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
            return self
                .check_mounted_options(new, options)
                .map(|()| Vec::new());
        }
        let at = self.entries.len();
        self.add(at, new, options)?;
        Ok(self.entries[at].registrations().collect())
    }

    /// Returns whether exactly this skill or document is mounted. Fails if a different one has its name.
    pub(super) fn has(&self, new: &NewEntry) -> Result<bool, MountError> {
        match self.find_key(&new.meta().key()) {
            None => Ok(false),
            Some(at) if self.entries[at].is(new) => Ok(true),
            Some(at) => Err(self.name_conflict(at, new.meta())),
        }
    }

    /// Checks that `options` result in the mounted skill's current configuration. Empty options always pass.
    pub(super) fn check_mounted_options(
        &self,
        new: &NewEntry,
        options: &Value,
    ) -> Result<(), MountError> {
        if options.as_object().is_some_and(Map::is_empty) {
            return Ok(());
        }
        let at = self.find_key(&new.meta().key());
        let mounted = at.and_then(|at| self.entries[at].skill());
        let Some(mounted) = mounted.filter(|mounted| mounted.given_options() != options) else {
            return Ok(());
        };
        let wanted = create_entry(new, options)?;
        let wanted = wanted.skill().map(|wanted| &*wanted.config().json);
        if crate::skill::config_fields::differs(wanted, Some(&mounted.config().json)) {
            let skill = new.meta().display_name();
            return Err(MountError::OtherOptions { skill });
        }
        Ok(())
    }

    /// Returns the index of the entry whose normalized name is `key`.
    fn find_key(&self, key: &str) -> Option<usize> {
        let mut entries = self.entries.iter();
        entries.position(|entry| entry.meta().key() == key)
    }

    /// Adds an entry after checking its names and requirements.
    fn add(&mut self, at: usize, new: &NewEntry, options: &Value) -> Result<(), MountError> {
        self.check_names(new.meta())?;
        self.check_requirements(new.meta())?;
        self.check_references_to(new.meta())?;
        self.insert(at, new, options)
    }

    /// Adds an entry whose names are already checked.
    fn insert(&mut self, at: usize, new: &NewEntry, options: &Value) -> Result<(), MountError> {
        self.check_hints(new.meta())?;
        let kind = create_entry(new, options)?;
        let enabled = true;
        self.entries.insert(at, Entry { kind, enabled });
        Ok(())
    }

    /// Adds a skill with its default options, without checking its requirements.
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

    /// Returns the error for an entry whose name is taken by a mounted entry.
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
        if let Some(error) = self.always_there(name) {
            return error;
        }
        MountError::NotMounted {
            name: shorten_name(name).into_owned(),
            suggestion: self.nearest(name),
        }
    }

    /// Returns the most similar name of a mounted skill or document.
    pub(super) fn nearest(&self, name: &str) -> Option<Cow<'static, str>> {
        nearest(name, self.names()).map(display_text)
    }
}
