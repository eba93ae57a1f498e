//! One instance of a skill in an agent, by the name the agent gives it.

use super::skill_of::{config_of, run, run_stamped};
use std::fmt;

use crate::{Agent, Outcome, PureAction, SkillOf, Stamp};

/// Typed access to an instance: `agent.calc()` for `Calculator as calc`.
pub struct Instance<'a, G, S, const AT: usize> {
    agent: &'a mut G,
    skill: std::marker::PhantomData<fn() -> S>,
}

// by hand: a derive would ask it of the agent too
impl<G, S, const AT: usize> fmt::Debug for Instance<'_, G, S, AT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance").finish_non_exhaustive()
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

    /// The state of this instance.
    pub fn state(&self) -> &S {
        S::of(self.agent.__parts().0)
    }

    /// The configuration of this instance.
    pub fn config(&self) -> &S::Config {
        config_of::<G, S, AT>(self.agent.__parts().1)
    }

    /// Runs an action of the skill on this instance; see [`Agent::cmd`].
    ///
    /// # Errors
    /// The action's own; the state is as before.
    pub fn cmd<A: PureAction<Skill = S>>(
        &mut self,
        action: A,
    ) -> Result<Outcome<A::Output>, A::Error> {
        run::<G, A, AT>(action, self.agent)
    }

    /// The same with a time and an id; see [`Agent::cmd_stamped`].
    ///
    /// # Errors
    /// The action's own; the state is as before.
    pub fn cmd_stamped<A: PureAction<Skill = S>>(
        &mut self,
        stamp: &Stamp,
        action: A,
    ) -> Result<Outcome<A::Output>, A::Error> {
        run_stamped::<G, A, AT>(action, self.agent, stamp)
    }
}
