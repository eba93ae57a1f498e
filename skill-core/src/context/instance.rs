//! The instance that an action runs in, and how it renames actions and signals.

use super::AgentEnv;
use crate::{Instruction, Route, Skill};
use std::any::Any;
use std::borrow::Cow;

/// The instance and agent that an action runs in. Each instance has one constant of this type.
#[derive(Debug)]
pub(crate) struct InstanceInfo {
    pub agent_name: &'static str,
    /// The instance's name: the alias, or the skill's name.
    pub name: &'static str,
    pub aliased: bool,
    /// The state key, which is also the key of a configuration set at run time.
    pub key: &'static str,
    /// Returns the declared configuration, for agents whose configuration was not set at run time.
    pub declared: fn() -> &'static (dyn Any + Send + Sync),
}

impl InstanceInfo {
    /// Returns the instance's configuration: the one set at run time, or else the declared one.
    #[inline]
    pub(crate) fn config<'a>(&self, env: &'a AgentEnv) -> &'a dyn Any {
        match env.own_config(self.key) {
            Some(own) => &*own.value,
            None => (self.declared)(),
        }
    }

    /// Describes a skill outside any agent.
    pub(super) const fn outside_agent<S: Skill>() -> Self {
        Self {
            agent_name: "test",
            name: S::NAME,
            aliased: false,
            key: S::STATE_KEY,
            declared: || &(),
        }
    }

    /// Describes a mounted skill. Its [`AgentEnv`] has the agent's name and the configuration.
    pub(crate) const fn mounted<S: Skill>() -> Self {
        Self {
            agent_name: "mounted",
            ..Self::outside_agent::<S>()
        }
    }
}

/// Skills use their own names in code; an aliased instance replaces them with its alias.
impl InstanceInfo {
    /// Replaces the name of one of the skill's own actions with its name in the instance.
    pub(crate) fn rename_instruction<S: Skill>(&self, instruction: &mut Instruction) {
        if self.aliased && S::SPEC.actions.iter().any(|a| a.name == instruction.action) {
            instruction.action = Cow::Owned(format!("{}_{}", self.name, instruction.action));
        }
    }

    /// Replaces the skill's name at the beginning of a signal type or pattern with the alias. Returns `None` if nothing changes.
    pub(super) fn rename_type<S: Skill>(&self, ty: &str) -> Option<String> {
        let rest = ty.strip_prefix(S::NAME).filter(|_| self.aliased)?;
        (rest.is_empty() || rest.starts_with('.')).then(|| format!("{}{rest}", self.name))
    }

    /// Renames the pattern and the action of a route that a hook returned.
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
