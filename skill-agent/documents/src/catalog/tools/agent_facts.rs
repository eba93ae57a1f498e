//! The parts of an agent that are needed to check documents.

use crate::Documents;
use skill_core::__private::short;
use skill_core::{ActionSpec, Agent, Mountable, SkillSpec, Tool};

/// An agent's skills, actions and tools, and its key `allow_skills`. All lists are empty if there is no agent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AgentFacts {
    pub(crate) name: &'static str,
    pub(crate) skills: &'static [SkillSpec],
    pub(crate) actions: &'static [ActionSpec],
    pub(crate) mountable: &'static [Mountable],
    pub(crate) tools: &'static [Tool<'static>],
    /// The agent's key `allow_skills`, or `None` without an agent.
    pub(crate) allow_skills: Option<bool>,
}

impl AgentFacts {
    pub(crate) fn of<A: Agent>() -> Self {
        Self {
            name: A::SPEC.name,
            skills: A::skill_specs(),
            actions: A::actions(),
            mountable: A::__mountable().unwrap_or_default(),
            tools: A::tools(),
            allow_skills: Some(A::allow_skills()),
        }
    }

    /// Iterates over the types of the skills as toolsets name them, each with the names of the skill's tools.
    pub(crate) fn tools_by_type(&self) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
        let of_skills: usize = self.skills.iter().map(|skill| skill.actions.len()).sum();
        // the agent's own actions come first, then the actions of each skill
        let mut rest = self.actions.iter().skip(self.actions.len() - of_skills);
        self.skills.iter().map(move |skill| {
            let actions = rest.by_ref().take(skill.actions.len());
            let names = actions.map(|action| action.name).collect();
            (short(skill.type_path), names)
        })
    }
}
