//! Typed access to one of an agent's instances.

use crate::agent::run::skill_of::{config_of, run};
use std::fmt;

use crate::{Agent, Outcome, PureAction, SkillOf, Stamp};

/// Typed access to an instance: `agent.calc()` for `Calculator as calc`.
pub struct Instance<'a, G, S, const AT: usize> {
    agent: &'a mut G,
    skill: std::marker::PhantomData<fn() -> S>,
}

// not derived: the derive would require `G: Debug` and `S: Debug`
impl<G, S, const AT: usize> fmt::Debug for Instance<'_, G, S, AT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance").finish_non_exhaustive()
    }
}

/// Typed read-only access to an instance: `agent.instance(MathAgent::calc)`.
pub struct InstanceRef<'a, G, S, const AT: usize> {
    agent: &'a G,
    skill: std::marker::PhantomData<fn() -> S>,
}

impl<G, S, const AT: usize> fmt::Debug for InstanceRef<'_, G, S, AT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InstanceRef").finish_non_exhaustive()
    }
}

impl<'a, G: Agent, S: SkillOf<G, AT>, const AT: usize> InstanceRef<'a, G, S, AT> {
    pub(super) const fn new(agent: &'a G) -> Self {
        Self {
            agent,
            skill: std::marker::PhantomData,
        }
    }

    /// Returns the instance's state.
    pub fn state(&self) -> &'a S {
        S::of(self.agent.__parts().0)
    }

    /// Returns the instance's configuration.
    pub fn config(&self) -> &'a S::Config {
        config_of::<G, S, AT>(self.agent.__parts().1)
    }
}

impl<'a, G: Agent, S: SkillOf<G, AT>, const AT: usize> Instance<'a, G, S, AT> {
    #[doc(hidden)]
    pub fn __new(agent: &'a mut G) -> Self {
        Self {
            agent,
            skill: std::marker::PhantomData,
        }
    }

    /// Returns the instance's state.
    pub fn state(&self) -> &S {
        S::of(self.agent.__parts().0)
    }

    /// Returns the instance's configuration.
    pub fn config(&self) -> &S::Config {
        config_of::<G, S, AT>(self.agent.__parts().1)
    }

    /// Runs one of the skill's actions on this instance; see [`Agent::cmd`].
    ///
    /// # Errors
    /// Returns the action's own error. The state is unchanged.
    pub fn cmd<A: PureAction<Skill = S>>(
        &mut self,
        action: A,
    ) -> Result<Outcome<A::Output>, A::Error> {
        run::<G, A, AT>(action, self.agent, None)
    }

    /// Like [`cmd`](Self::cmd), but with a stamp; see [`Agent::cmd_stamped`].
    ///
    /// # Errors
    /// Returns the action's own error. The state is unchanged.
    pub fn cmd_stamped<A: PureAction<Skill = S>>(
        &mut self,
        stamp: &Stamp,
        action: A,
    ) -> Result<Outcome<A::Output>, A::Error> {
        run::<G, A, AT>(action, self.agent, Some(stamp))
    }
}
