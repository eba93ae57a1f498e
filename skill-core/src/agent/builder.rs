//! Builds an agent whose configuration is supplied at run time.

use super::instance::Instance;
use super::state::{as_object, check, read};
use crate::agent::run::skill_of::key_of;
use crate::context::{AgentEnv, OwnConfig};
use crate::{Agent, SkillOf};
use serde_json::Value;
use skill_agent_schema::{Problem, StateError, constraint_problems, is_full, join};
use std::fmt;
use std::marker::PhantomData;

/// Builds an agent with its own id and configurations, starting from the values declared in `agent!`.
pub struct AgentBuilder<G: Agent> {
    env: AgentEnv,
    agent: PhantomData<fn() -> G>,
}

// not derived: the derive would require `G: Debug`
impl<G: Agent> fmt::Debug for AgentBuilder<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AgentBuilder").field(&self.env).finish()
    }
}

impl<G: Agent> AgentBuilder<G> {
    pub(crate) fn new() -> Self {
        Self {
            env: AgentEnv::default(),
            agent: PhantomData,
        }
    }

    /// Sets the agent's id.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.env.set_id(id.into());
        self
    }

    /// Sets the whole configuration of a skill.
    #[must_use]
    pub fn config<S: SkillOf<G>>(mut self, config: S::Config) -> Self {
        self.set_config::<S, 0>(config);
        self
    }

    /// Sets the whole configuration of one instance. Select the instance with the method that `agent!` generates for it, such as
    /// `MathAgent::calc` for `Calculator as calc`. The method is not called.
    #[must_use]
    pub fn instance_config<S: SkillOf<G, AT>, const AT: usize>(
        mut self,
        accessor: fn(&mut G) -> Instance<'_, G, S, AT>,
        config: S::Config,
    ) -> Self {
        let _ = accessor;
        self.set_config::<S, AT>(config);
        self
    }

    fn set_config<S: SkillOf<G, AT>, const AT: usize>(&mut self, config: S::Config) {
        let key = key_of::<G, S, AT>();
        self.env
            .set_config(key, OwnConfig::new(config, S::SPEC.config_secrets));
    }

    /// Merges JSON text into the configuration of the skill with the state key `state_key`.
    ///
    /// # Errors
    /// Returns every problem with its path: an unknown skill, unknown and repeated keys, wrong types.
    pub fn config_json(mut self, state_key: &str, text: &str) -> Result<Self, StateError> {
        let patch = read(text).map_err(|error| error.below(state_key))?;
        let mut problems = Vec::new();
        self.configure(state_key, &patch, &mut problems);
        check(problems)?;
        Ok(self)
    }

    /// Merges a JSON object into the configurations. The object's keys are state keys.
    ///
    /// # Errors
    /// Returns every problem with its path: unknown skills and keys, wrong types.
    pub fn config_value(mut self, patch: &Value) -> Result<Self, StateError> {
        let mut problems = Vec::new();
        if let Some(patch) = as_object(patch, &mut problems) {
            for (key, value) in patch {
                if is_full(&mut problems) {
                    break;
                }
                self.configure(key, value, &mut problems);
            }
        }
        check(problems)?;
        Ok(self)
    }

    fn configure(&mut self, state_key: &str, patch: &Value, problems: &mut Vec<Problem>) {
        let slots = &G::__slots()[1..];
        match slots.iter().find(|slot| slot.key() == state_key) {
            Some(slot) => slot.configure(&mut self.env, patch, problems),
            None => {
                let known = slots.iter().map(|slot| slot.key());
                problems.push(Problem::unknown_field(
                    join("", state_key),
                    state_key,
                    known,
                ));
            }
        }
    }

    /// Builds the agent.
    ///
    /// # Errors
    /// Returns every configuration value that violates a schema constraint, such as `#[schemars(range(max = 50))]`, with its
    /// path.
    pub fn build(self) -> Result<G, StateError> {
        check_config::<G>(&self.env)?;
        Ok(G::__from_env(self.env))
    }
}

/// Checks the constraints of all configurations, including those declared in `agent!`.
pub(crate) fn check_config<G: Agent>(env: &AgentEnv) -> Result<(), StateError> {
    let mut problems = Vec::new();
    for (slot, spec) in G::__slots().iter().zip(G::__tables().skills) {
        if let Some(schema) = spec.config_schema {
            let (config, secrets) = (slot.config(env), spec.config_secrets);
            problems.extend(constraint_problems(
                &config,
                schema(),
                slot.key(),
                secrets,
                true,
            ));
        }
    }
    check(problems)
}
