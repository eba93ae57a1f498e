//! The agent's rules about the actions of mounted skills. A document has no actions, so it cannot break these rules.

use crate::SkillSpec;
use crate::composition::{data_flow, with_skill};
use crate::mounted::rules::entry_meta::EntryMeta;
use crate::mounted::{Entry, MountError, Mounted};
use crate::policy::{ActionOwner, DataFlow};
use std::borrow::Cow;

impl Mounted {
    /// Returns the data flow of the agent's skills and own actions, and of the enabled mounted skills.
    pub fn data_flow(&self) -> DataFlow<'static> {
        let enabled = self.entries.iter().filter(|entry| entry.enabled);
        enabled
            .filter_map(Entry::spec)
            .fold(data_flow(self.host.0), with_skill)
    }

    /// Checks that the agent forbids no action of a new entry, and that no data could leak once the entry is mounted.
    pub(crate) fn check_hints(&self, new: EntryMeta<'_>) -> Result<(), MountError> {
        self.check_forbidden(new)?;
        self.check_data_flow_with(new)
    }

    /// Checks that no data could leak if this skill were enabled too.
    pub(crate) fn check_data_flow_with(&self, new: EntryMeta<'_>) -> Result<(), MountError> {
        match new {
            EntryMeta::Skill(spec) => self.check_flow(with_skill(self.data_flow(), spec), spec),
            EntryMeta::Document(_) => Ok(()),
        }
    }

    fn check_forbidden(&self, new: EntryMeta<'_>) -> Result<(), MountError> {
        let EntryMeta::Skill(spec) = new else {
            return Ok(());
        };
        let actions = spec.actions.iter();
        let actions = actions.map(|action| (action.name, action.hints));
        let owner = ActionOwner::skill(spec.type_path);
        match self.host.0.spec.forbidden(owner, actions) {
            Some(actions) => Err(MountError::Forbidden {
                skill: spec.name.into(),
                actions,
            }),
            None => Ok(()),
        }
    }

    fn check_flow(&self, flow: DataFlow<'_>, skill: &SkillSpec) -> Result<(), MountError> {
        flow.check(&self.host.0.spec)
            .map_err(|flow| MountError::DataFlow {
                skill: skill.name.into(),
                flow,
            })
    }

    /// Returns the first entry whose effects the agent refuses, and the error. Mounted skills stored by an earlier build may
    /// break rules that are new.
    pub(crate) fn refused_entry(&self) -> Option<(Cow<'static, str>, MountError)> {
        let mut flow = data_flow(self.host.0);
        for entry in &self.entries {
            let Some(spec) = entry.spec() else { continue };
            let mut checked = self.check_forbidden(entry.meta());
            if entry.enabled {
                flow = with_skill(flow, spec);
                checked = checked.and_then(|()| self.check_flow(flow, spec));
            }
            if let Err(error) = checked {
                return Some((spec.name.into(), error));
            }
        }
        None
    }
}
