//! Mounting and unmounting.

use super::registry::Mountable;
use super::resolve::order;
use super::{Entry, MountError, Mounted};
use crate::compose::{satisfied, split};
use crate::json::{nearest, shorten};
use crate::{Directive, Origin, Skill, SkillSpec};
use serde_json::{Map, Value};
use std::borrow::Cow;

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
        self.mount_entry(&Mountable::of::<S>(), options)
    }

    /// The same for the skill that the registry has under that name.
    ///
    /// # Errors
    /// As [`mount`](Self::mount), and a name that the registry does not have.
    pub fn mount_named(
        &mut self,
        name: &str,
        options: &Value,
    ) -> Result<Vec<Directive>, MountError> {
        let mountable = *self.registry.named(name)?;
        self.mount_entry(&mountable, options)
    }

    /// Unmounts a skill and drops its state.
    ///
    /// Gives a [`Directive::DeregisterAction`] for each of its actions; none when the skill is not mounted, or disabled.
    ///
    /// # Errors
    /// When a mounted skill requires it, or another type is mounted under its name.
    pub fn unmount<S: Skill>(&mut self) -> Result<Vec<Directive>, MountError> {
        match self.find(S::NAME) {
            Some(at) if self.entries[at].is::<S>() => self.unmount_at(at),
            Some(at) => Err(self.another_type(at, &S::SPEC)),
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
        let Some(at) = self.find(S::NAME) else {
            return Err(self.not_mounted(S::NAME));
        };
        let mut next = self.clone();
        let old = next.entries.remove(at);
        next.add(at, &Mountable::of::<S>(), options)?;
        let specs: Vec<_> = next.entries.iter().map(Entry::spec).collect();
        for spec in &specs {
            next.requirements(spec)?;
        }
        order(&specs)?;
        let mut directives = old.gone();
        directives.extend(next.entries[at].registered());
        *self = next;
        Ok(directives)
    }

    /// Shows a disabled skill again. Gives the registrations of its actions; none when it is enabled.
    ///
    /// # Errors
    /// When it is not mounted.
    pub fn enable(&mut self, name: &str) -> Result<Vec<Directive>, MountError> {
        let at = self.find(name).ok_or_else(|| self.not_mounted(name))?;
        let entry = &mut self.entries[at];
        match std::mem::replace(&mut entry.enabled, true) {
            true => Ok(Vec::new()),
            false => Ok(entry.registered().collect()),
        }
    }

    /// Hides a skill and keeps its state: its tools are not shown, its actions cannot be called, and it sees no signal.
    /// What requires it is still served. Gives the deregistrations of its actions; none when it is disabled.
    ///
    /// # Errors
    /// When it is not mounted.
    pub fn disable(&mut self, name: &str) -> Result<Vec<Directive>, MountError> {
        let at = self.find(name).ok_or_else(|| self.not_mounted(name))?;
        let gone = self.entries[at].gone();
        self.entries[at].enabled = false;
        Ok(gone)
    }

    pub(super) fn mount_entry(
        &mut self,
        mountable: &Mountable,
        options: &Value,
    ) -> Result<Vec<Directive>, MountError> {
        if self.has(mountable)? {
            return Ok(Vec::new());
        }
        let at = self.entries.len();
        self.add(at, mountable, options)?;
        Ok(self.entries[at].registered().collect())
    }

    /// Whether that very skill is mounted.
    pub(super) fn has(&self, mountable: &Mountable) -> Result<bool, MountError> {
        match self.find(mountable.spec.name) {
            None => Ok(false),
            Some(at) if self.entries[at].piece.kind() == (mountable.kind)() => Ok(true),
            Some(at) => Err(self.another_type(at, mountable.spec)),
        }
    }

    /// Adds a skill that is not mounted; what is wrong is told before anything changes.
    fn add(&mut self, at: usize, new: &Mountable, options: &Value) -> Result<(), MountError> {
        self.names_are_free(new.spec)?;
        self.requirements(new.spec)?;
        self.insert(at, new, options)
    }

    /// Adds a skill whose names are free.
    fn insert(&mut self, at: usize, new: &Mountable, options: &Value) -> Result<(), MountError> {
        if let Some(action) = new.spec.actions.iter().find(|action| action.effectful) {
            return Err(MountError::Async {
                skill: new.spec.name.into(),
                action: action.name.into(),
            });
        }
        let piece = (new.mount)(options).map_err(|source| MountError::Options {
            skill: new.spec.name.into(),
            source,
        })?;
        let enabled = true;
        self.entries.insert(at, Entry { piece, enabled });
        Ok(())
    }

    /// Adds a skill with its default options, and leaves it to the caller whether its requirements are met.
    pub(super) fn add_default(&mut self, new: &Mountable) -> Result<(), MountError> {
        if self.has(new)? {
            return Ok(());
        }
        self.names_are_free(new.spec)?;
        self.insert(self.entries.len(), new, &Value::Object(Map::new()))
    }

    fn unmount_at(&mut self, at: usize) -> Result<Vec<Directive>, MountError> {
        let spec = self.entries[at].spec();
        let needs = |other: &&SkillSpec| other.requires.iter().any(|it| split(it).0 == spec.name);
        if let Some(by) = self.specs().find(needs) {
            return Err(MountError::Required {
                skill: spec.name.into(),
                by: by.name.into(),
            });
        }
        Ok(self.entries.remove(at).gone())
    }

    /// One name, one state key and one name of an action stand for one thing, also beside the agent's own.
    fn names_are_free(&self, new: &'static SkillSpec) -> Result<(), MountError> {
        if let Some(owner) = self.beside.skills().find(|spec| spec.name == new.name) {
            return Err(MountError::NameTaken {
                skill: new.name.into(),
                owner: owner.type_path.into(),
            });
        }
        if let Some(owner) = self.owner_of_key(new.state_key) {
            return Err(MountError::StateKeyTaken {
                skill: new.name.into(),
                key: new.state_key.into(),
                owner: owner.into(),
            });
        }
        for (i, action) in new.actions.iter().enumerate() {
            let own = new.actions[..i].iter().any(|it| it.name == action.name);
            let owner = own.then_some(new).or_else(|| self.owner_of(action.name));
            if let Some(owner) = owner {
                return Err(MountError::ActionTaken {
                    skill: new.name.into(),
                    action: action.name.into(),
                    owner: owner.name.into(),
                });
            }
        }
        Ok(())
    }

    fn owner_of_key(&self, key: &str) -> Option<String> {
        let mut skills = self
            .entries
            .iter()
            .map(Entry::spec)
            .chain(self.beside.skills());
        match skills.find(|spec| spec.state_key == key) {
            Some(spec) => Some(format!("the skill `{}`", spec.name)),
            None if self.beside.base_keys.contains(&key) => {
                Some(format!("a base field of the agent `{}`", self.beside.agent))
            }
            None => None,
        }
    }

    fn owner_of(&self, action: &str) -> Option<&'static SkillSpec> {
        let has = |spec: &&SkillSpec| spec.actions.iter().any(|it| it.name == action);
        let mounted = self.entries.iter().map(Entry::spec).find(has);
        mounted.or_else(|| self.beside.owner(action))
    }

    /// What a skill requires has to be there, in a version that will do.
    pub(super) fn requirements(&self, skill: &SkillSpec) -> Result<(), MountError> {
        for requirement in skill.requires {
            let (name, wanted) = split(requirement);
            let Some(there) = self.required(name) else {
                return Err(MountError::MissingDependency {
                    skill: skill.name.into(),
                    required: name.into(),
                });
            };
            let will_do = |wanted| there.version.is_some_and(|it| satisfied(wanted, it));
            if let Some(wanted) = wanted.filter(|wanted| !will_do(wanted)) {
                return Err(MountError::WrongVersion {
                    skill: skill.name.into(),
                    required: name.into(),
                    wanted: wanted.into(),
                    found: there.version.map(Cow::Borrowed),
                });
            }
        }
        Ok(())
    }

    /// The skill that a requirement names, as its author does, wherever the agent mounts it.
    pub(super) fn required(&self, name: &str) -> Option<&'static SkillSpec> {
        let mut mounted = self.entries.iter().map(Entry::spec);
        mounted.find(|spec| spec.name == name).or_else(|| {
            let skills = || self.beside.skills();
            let by_name = skills().find(|spec| spec.name == name);
            by_name.or_else(|| skills().find(|spec| spec.declared_name() == name))
        })
    }

    fn another_type(&self, at: usize, refused: &SkillSpec) -> MountError {
        let mounted = self.entries[at].spec();
        MountError::AnotherType {
            skill: mounted.name.into(),
            mounted: mounted.type_path.into(),
            refused: refused.type_path.into(),
        }
    }

    fn not_mounted(&self, name: &str) -> MountError {
        MountError::NotMounted {
            name: shorten(name, 64).into_owned(),
            suggestion: self.nearest(name),
        }
    }

    /// The mounted skill whose name is nearest.
    pub(super) fn nearest(&self, name: &str) -> Option<Cow<'static, str>> {
        let names = self.entries.iter().map(|entry| entry.spec().name);
        nearest(name, names).map(Cow::Borrowed)
    }
}

impl Entry {
    /// The registrations of its actions (`Effect.RegisterAction` of seed 000).
    pub(super) fn registered(&self) -> impl Iterator<Item = Directive> {
        let skill = self.spec().name;
        let actions = self.spec().actions.iter();
        actions.map(move |action| Directive::RegisterAction {
            skill: skill.into(),
            action: action.name.into(),
            origin: origin(skill),
        })
    }

    /// The deregistrations of what is registered.
    fn gone(&self) -> Vec<Directive> {
        if !self.enabled {
            return Vec::new();
        }
        let skill = self.spec().name;
        let actions = self.spec().actions.iter();
        actions
            .map(|action| Directive::DeregisterAction {
                skill: skill.into(),
                action: action.name.into(),
                origin: origin(skill),
            })
            .collect()
    }
}

fn origin(skill: &'static str) -> Origin {
    let mut origin = Origin::new(skill);
    origin.tags.push("skill".into());
    origin
}
