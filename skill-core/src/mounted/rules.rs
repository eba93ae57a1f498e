//! What has to hold of all that is mounted.

use super::entry_meta::{EntryMeta, Requirement, shown};
use super::{Entry, MountError, Mounted};
use crate::SkillSpec;
use crate::composition::short;
use crate::json::nearest;
use std::borrow::Cow;

impl Mounted {
    /// The name of the first that breaks a rule, and how: all names, state keys and actions are free beside the agent and
    /// what is mounted before, everything that is required is there, and nothing requires itself by way of others.
    pub(super) fn first_fault(&self) -> Option<(Cow<'static, str>, MountError)> {
        for (at, entry) in self.entries.iter().enumerate() {
            let about = entry.about();
            if let Err(error) = self.names_are_free_after(&self.entries[..at], about) {
                return Some((about.shown_name(), error));
            }
        }
        self.first_lack()
    }

    /// The same of requirements and circles alone: what comes or goes breaks no rule of names.
    pub(super) fn first_lack(&self) -> Option<(Cow<'static, str>, MountError)> {
        for about in self.entries.iter().map(Entry::about) {
            if let Err(error) = self.requirements(about) {
                return Some((about.shown_name(), error));
            }
        }
        let abouts: Vec<_> = self.entries.iter().map(Entry::about).collect();
        match self.order(&abouts) {
            Err(MountError::Circle { path }) => {
                Some((path[0].clone(), MountError::Circle { path }))
            }
            _ => None,
        }
    }

    /// One name, one state key and one name of an action stand for one thing, also beside the agent's own.
    pub(super) fn names_are_free(&self, new: EntryMeta<'_>) -> Result<(), MountError> {
        self.names_are_free_after(&self.entries, new)
    }

    fn names_are_free_after(
        &self,
        mounted: &[Entry],
        new: EntryMeta<'_>,
    ) -> Result<(), MountError> {
        self.name_is_free(new)?;
        match new {
            EntryMeta::Skill(spec) => self.key_and_actions_are_free(mounted, spec),
            EntryMeta::Document(_) => Ok(()),
        }
    }

    /// Whether the agent has nothing of that name.
    fn name_is_free(&self, about: EntryMeta<'_>) -> Result<(), MountError> {
        let key = about.key();
        if let Some(owner) = self.host.skills().find(|spec| spec.name == key) {
            return Err(MountError::NameTaken {
                skill: about.shown_name(),
                owner: owner.type_path.into(),
            });
        }
        match self.host.lists(about) {
            true => Err(MountError::Listed {
                skill: about.shown_name(),
            }),
            false => Ok(()),
        }
    }

    fn key_and_actions_are_free(
        &self,
        mounted: &[Entry],
        new: &'static SkillSpec,
    ) -> Result<(), MountError> {
        let mounted = || mounted.iter().filter_map(Entry::spec);
        if let Some(owner) = self.owner_of_key(mounted(), new.state_key) {
            return Err(MountError::StateKeyTaken {
                skill: new.name.into(),
                key: new.state_key.into(),
                owner: owner.into(),
            });
        }
        for (i, action) in new.actions.iter().enumerate() {
            let own = new.actions[..i].iter().any(|it| it.name == action.name);
            let owner = own.then_some(new);
            let owner = owner.or_else(|| self.owner_of(mounted(), action.name));
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

    fn owner_of_key(
        &self,
        mounted: impl Iterator<Item = &'static SkillSpec>,
        key: &str,
    ) -> Option<String> {
        let mut skills = mounted.chain(self.host.skills());
        match skills.find(|spec| spec.state_key == key) {
            Some(spec) => Some(format!("the skill `{}`", spec.name)),
            None if self.host.0.base_keys.contains(&key) => {
                Some(format!("a base field of the agent `{}`", self.host.0.agent))
            }
            None => None,
        }
    }

    fn owner_of(
        &self,
        mut mounted: impl Iterator<Item = &'static SkillSpec>,
        action: &str,
    ) -> Option<&'static SkillSpec> {
        let owner = mounted.find(|spec| spec.actions.iter().any(|it| it.name == action));
        owner.or_else(|| self.host.owner(action))
    }

    /// What a skill or document requires has to be there, in a version that will do.
    pub(super) fn requirements(&self, about: EntryMeta<'_>) -> Result<(), MountError> {
        for need in about.needs() {
            let mut versions = self.versions_of(need);
            let Some(first) = versions.next() else {
                return Err(self.missing(about, need));
            };
            if let Requirement::Name(name, Some(wanted)) = need
                && !need.takes(first)
                && !versions.any(|it| need.takes(it))
            {
                return Err(MountError::WrongVersion {
                    skill: about.shown_name(),
                    required: shown(name),
                    wanted: shown(wanted),
                    found: first.map(shown),
                });
            }
        }
        Ok(())
    }

    /// The versions in which what is needed is there: mounting one more thing takes nothing from what is mounted.
    pub(super) fn versions_of<'a>(
        &'a self,
        need: Requirement<'a>,
    ) -> impl Iterator<Item = Option<&'a str>> {
        let mounted = self.entries.iter().map(Entry::about);
        let serving = mounted.filter(move |about| need.is_served_by(*about));
        let host = self.host.versions_of(need);
        serving.map(EntryMeta::version).chain(host)
    }

    /// What is needed is not there.
    pub(super) fn missing(&self, about: EntryMeta<'_>, need: Requirement<'_>) -> MountError {
        let skill = about.shown_name();
        match need {
            Requirement::Name(name, _) if name == about.name() => MountError::Circle {
                path: vec![skill.clone(), skill],
            },
            Requirement::Name(name, _) => MountError::MissingDependency {
                skill,
                required: shown(name),
            },
            Requirement::Tool(tool) => {
                let mounted = self.entries.iter().flat_map(Entry::actions);
                let offered = mounted.chain(self.host.0.actions).filter(|it| !it.internal);
                MountError::MissingTool {
                    skill,
                    tool: shown(tool),
                    by: self.registry.serving(need).map(shown),
                    suggestion: nearest(tool, offered.map(|it| it.name)).map(shown),
                }
            }
            Requirement::Toolset(toolset) => MountError::MissingToolset {
                skill,
                required: shown(short(toolset)),
            },
        }
    }
}
