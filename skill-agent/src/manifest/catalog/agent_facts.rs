//! The facts of an agent that documents are checked against.

use crate::core::{ActionSpec, Agent, Mountable, SkillSpec, Tool};
use crate::manifest::Documents;

/// The skills, actions and tools of an agent, and its key `allow_skills`; all empty without an agent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AgentFacts {
    pub(crate) skills: &'static [SkillSpec],
    pub(crate) actions: &'static [ActionSpec],
    pub(crate) mountable: &'static [Mountable],
    pub(crate) tools: &'static [Tool<'static>],
    /// `None` without an agent.
    pub(crate) allow_skills: Option<bool>,
}

impl AgentFacts {
    pub(crate) fn of<A: Agent>() -> Self {
        Self {
            skills: A::skill_specs(),
            actions: A::actions(),
            mountable: A::__mountable().unwrap_or_default(),
            tools: A::tools(),
            allow_skills: Some(A::allow_skills()),
        }
    }
}
