//! The skills that an agent has without mounting them.

use crate::{ActionSpec, Agent, SkillSpec};

/// What is taken already, in the words of the agent's tables; empty where there is no agent.
#[derive(Clone, Copy)]
pub(super) struct Neighbours {
    pub(super) agent: &'static str,
    /// The agent itself first, then its skills.
    pub(super) skills: &'static [SkillSpec],
    pub(super) actions: &'static [ActionSpec],
    /// For each action the place of its skill.
    addresses: &'static [(u32, u32)],
    pub(super) base_keys: &'static [&'static str],
}

impl Default for Neighbours {
    fn default() -> Self {
        Self {
            agent: "mounted",
            skills: &[],
            actions: &[],
            addresses: &[],
            base_keys: &[],
        }
    }
}

impl Neighbours {
    pub(super) fn of<G: Agent>() -> Self {
        let anatomy = G::__anatomy();
        Self {
            agent: G::SPEC.name,
            skills: anatomy.skills,
            actions: anatomy.actions,
            addresses: anatomy.addresses,
            base_keys: anatomy.base_keys,
        }
    }

    /// The skills, without the agent itself.
    pub(super) fn skills(self) -> impl Iterator<Item = &'static SkillSpec> {
        self.skills.iter().skip(1)
    }

    /// The skill, or the agent itself, that has an action of that name.
    pub(super) fn owner(self, action: &str) -> Option<&'static SkillSpec> {
        let at = self.actions.iter().position(|spec| spec.name == action)?;
        Some(&self.skills[self.addresses[at].0 as usize])
    }
}
