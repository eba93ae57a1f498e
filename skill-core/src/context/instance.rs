//! The instance of a skill that an action runs in, and how it spells names.

use crate::{Instruction, Route, Skill};
use std::any::Any;
use std::borrow::Cow;

/// Which instance of which agent an action runs in; one constant per instance.
#[derive(Debug)]
pub(crate) struct InstanceInfo {
    pub agent_name: &'static str,
    /// The name of the instance: the alias, or the name of the skill.
    pub name: &'static str,
    pub aliased: bool,
    /// The key of its state, under which an agent keeps a configuration of its own.
    pub key: &'static str,
    /// The configuration that holds where the agent has none of its own.
    pub declared: fn() -> &'static (dyn Any + Send + Sync),
}

impl InstanceInfo {
    /// Outside any agent.
    pub(super) const fn outside_agent<S: Skill>() -> Self {
        Self {
            agent_name: "test",
            name: S::NAME,
            aliased: false,
            key: S::STATE_KEY,
            declared: || &(),
        }
    }

    /// Mounted at run time; the shell knows the name of the agent and the configuration.
    pub(crate) const fn mounted<S: Skill>() -> Self {
        Self {
            agent_name: "mounted",
            ..Self::outside_agent::<S>()
        }
    }
}

/// Names inside a skill mean its own: those of an aliased instance are spelled anew.
impl InstanceInfo {
    /// The name of one of the skill's own actions becomes that of the instance's.
    pub(crate) fn rename_instruction<S: Skill>(&self, instruction: &mut Instruction) {
        if self.aliased && S::SPEC.actions.iter().any(|a| a.name == instruction.action) {
            instruction.action = Cow::Owned(format!("{}_{}", self.name, instruction.action));
        }
    }

    /// A signal type or pattern that begins with the skill's name, as it begins with the instance's.
    pub(super) fn rename_type<S: Skill>(&self, ty: &str) -> Option<String> {
        let rest = ty.strip_prefix(S::NAME).filter(|_| self.aliased)?;
        (rest.is_empty() || rest.starts_with('.')).then(|| format!("{}{rest}", self.name))
    }

    /// A route that a hook gives.
    pub(crate) fn rename_route<S: Skill>(
        &self,
        mut route: Route,
        mut instruction: Instruction,
    ) -> (Route, Instruction) {
        if let Some(pattern) = self.rename_type::<S>(&route.pattern) {
            route.pattern = Cow::Owned(pattern);
        }
        self.rename_instruction::<S>(&mut instruction);
        (route, instruction)
    }
}
