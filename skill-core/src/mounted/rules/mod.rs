//! The rules for mounted skills and documents.

pub(crate) mod entry_meta;
pub(crate) mod host_agent;
pub(crate) mod policy;
pub(crate) mod resolve;

use super::{Entry, MountError, Mounted};
use crate::composition::{Members, NameKind};
use crate::mounted::rules::entry_meta::{EntryMeta, Requirement, display_text};
use crate::{ActionSpec, SkillSpec};
use skill_agent_grammar::{nearest, short};
use std::borrow::Cow;

impl Mounted {
    /// Returns the first entry that breaks a rule, and the error. These are the rules: The agent and earlier entries do not use
    /// the entry's name, state key or actions. The agent forbids none of its actions, and allows the data flow if the entry is
    /// enabled. All requirements are met, and they form no cycle.
    pub(super) fn first_violation(&self) -> Option<(Cow<'static, str>, MountError)> {
        for (at, entry) in self.entries.iter().enumerate() {
            let meta = entry.meta();
            if let Err(error) = self.check_names_against(&self.entries[..at], meta) {
                return Some((meta.display_name(), error));
            }
        }
        self.refused_entry().or_else(|| self.unmet_requirement())
    }

    /// Returns the first entry with an unmet requirement or in a cycle, and the error. This check suffices after an entry has
    /// been removed or replaced, because that cannot break a rule about names.
    pub(super) fn unmet_requirement(&self) -> Option<(Cow<'static, str>, MountError)> {
        for meta in self.entries.iter().map(Entry::meta) {
            if let Err(error) = self.check_requirements(meta) {
                return Some((meta.display_name(), error));
            }
        }
        let metas: Vec<_> = self.entries.iter().map(Entry::meta).collect();
        match self.order(&metas) {
            Err(MountError::Cycle { path }) => Some((path[0].clone(), MountError::Cycle { path })),
            _ => None,
        }
    }

    /// Checks that neither the agent nor a mounted skill uses the name, the state key or an action.
    pub(super) fn check_names(&self, new: EntryMeta<'_>) -> Result<(), MountError> {
        self.check_names_against(&self.entries, new)
    }

    fn check_names_against(&self, mounted: &[Entry], new: EntryMeta<'_>) -> Result<(), MountError> {
        self.check_name(new)?;
        match new {
            EntryMeta::Skill(spec) => self.check_key_and_actions(mounted, spec),
            EntryMeta::Document(_) => Ok(()),
        }
    }

    /// Checks that the agent has no skill or document with that name.
    fn check_name(&self, meta: EntryMeta<'_>) -> Result<(), MountError> {
        let key = meta.key();
        if let Some(owner) = self.host.skills().find(|spec| spec.name == key) {
            return Err(MountError::NameTaken {
                skill: meta.display_name(),
                owner: owner.type_path.into(),
            });
        }
        if self.host.lists_document(meta) {
            return Err(MountError::Listed {
                skill: meta.display_name(),
            });
        }
        Ok(())
    }

    fn check_key_and_actions(
        &self,
        mounted: &[Entry],
        new: &'static SkillSpec,
    ) -> Result<(), MountError> {
        let mounted = || mounted.iter().filter_map(Entry::spec);
        let skills: Vec<_> = mounted().chain([new]).collect();
        let (all, agent) = (Members::new(self.host.0, &skills), self.host.0.agent);
        let at = all.len() - 1;
        let owner = match all.earlier(NameKind::StateKey, at) {
            Some(other) => Some(format!("the skill `{}`", all.skill(other).name)),
            None if all.has_base_field(at) => Some(format!("a base field of the agent `{agent}`")),
            None => None,
        };
        if let Some(owner) = owner {
            return Err(MountError::StateKeyTaken {
                skill: new.name.into(),
                key: new.state_key.into(),
                owner: owner.into(),
            });
        }
        for (i, action) in new.actions.iter().enumerate() {
            let is_same = |other: &ActionSpec| other.name == action.name;
            let own = new.actions[..i].iter().any(is_same).then_some(new);
            let of_mounted = || mounted().find(|spec| spec.actions.iter().any(is_same));
            let of_agent = || Some(all.skill(all.same_action(at, i, action.name)?.skill as usize));
            if let Some(owner) = own.or_else(of_mounted).or_else(of_agent) {
                return Err(MountError::ActionTaken {
                    skill: new.name.into(),
                    action: action.name.into(),
                    owner: owner.name.into(),
                });
            }
        }
        Ok(())
    }

    /// Checks that all requirements are met, including their versions, and that the references in the instructions resolve to
    /// tools.
    pub(super) fn check_requirements(&self, meta: EntryMeta<'_>) -> Result<(), MountError> {
        for requirement in meta.requirements() {
            let mut versions = self.versions_of(requirement);
            let Some(first) = versions.next() else {
                return Err(self.missing_requirement(meta, requirement));
            };
            if let Requirement::Name(name, Some(wanted)) = requirement
                && !requirement.accepts(first)
                && !versions.any(|version| requirement.accepts(version))
            {
                return Err(MountError::WrongVersion {
                    skill: meta.display_name(),
                    required: display_text(name),
                    wanted: display_text(wanted),
                    found: first.map(display_text),
                });
            }
        }
        self.check_references(meta)
    }

    /// Returns the versions of all mounted or listed skills and documents with the required name, tool or type. Only one of them
    /// must satisfy the requirement, so mounting one more never breaks it.
    pub(super) fn versions_of<'a>(
        &'a self,
        requirement: Requirement<'a>,
    ) -> impl Iterator<Item = Option<&'a str>> {
        let mounted = self.entries.iter().map(Entry::meta);
        let mounted = mounted.filter(move |meta| requirement.is_met_by(*meta));
        let host = self.host.versions_of(requirement);
        mounted.map(EntryMeta::version).chain(host)
    }

    /// Returns the error for a requirement that nothing meets.
    pub(super) fn missing_requirement(
        &self,
        meta: EntryMeta<'_>,
        requirement: Requirement<'_>,
    ) -> MountError {
        let skill = meta.display_name();
        match requirement {
            Requirement::Name(name, _) if name == meta.name() => MountError::Cycle {
                path: vec![skill.clone(), skill],
            },
            Requirement::Name(name, _) => MountError::MissingDependency {
                skill,
                required: display_text(name),
            },
            Requirement::Tool(tool) => {
                let mounted = self.entries.iter().flat_map(Entry::actions);
                let offered = mounted
                    .chain(self.host.0.actions)
                    .filter(|spec| !spec.internal);
                MountError::MissingTool {
                    skill,
                    tool: display_text(tool),
                    by: self.registry.find_for(requirement).map(display_text),
                    suggestion: nearest(tool, offered.map(|spec| spec.name)).map(display_text),
                }
            }
            Requirement::Toolset(toolset) => MountError::MissingToolset {
                skill,
                required: display_text(short(toolset)),
            },
        }
    }
}
