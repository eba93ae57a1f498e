//! One of an agent's skills, without its type.

mod async_actions;
mod take_config;

pub use async_actions::{
    Absent, AgentRunsWith, AsyncRequest, NoActions, SlotAsyncActions, SlotAt, SlotRunsWith,
    SlotsRunWith,
};
pub use take_config::{kept_fields, kept_fields_of_mounted, take_config};

use crate::action::Request;
use crate::agent::run::skill_of::{config_of, instance_info};
use crate::bounds::{ConfigOf, PartialJson, SharedState};
use crate::context::{AgentEnv, CommandMeta, ContextParts, InstanceInfo, OwnConfig, QueuedEffects};
use crate::hooks::{HookFns, TurnContext};
use crate::skill::SkillVtable;
use crate::{Agent, CallFailure, ChildSpec, Instruction, Route, SkillOf};
use serde_json::Value;
use skill_agent_schema::{Layout, Problem, Update};
use std::any::Any;
use std::sync::Arc;

/// One instance of an agent: its operations, and where its state is. `agent!` generates one constant per skill.
pub struct Slot<G: Agent> {
    pub(crate) instance: InstanceInfo,
    pub(crate) skill: &'static SkillVtable,
    pub(crate) of: fn(&G::State) -> &dyn Any,
    pub(crate) of_mut: fn(&mut G::State) -> &mut dyn Any,
    /// Calls the action at an index, without the type check that `skill.call` needs.
    pub(crate) call: CallOn<G::State>,
}

type CallOn<S> =
    fn(&mut S, action: usize, &mut Request<'_>, &mut QueuedEffects) -> Result<String, CallFailure>;

/// Returns an instance's slot.
pub const fn slot<G: Agent, S: SkillOf<G, AT>, const AT: usize>() -> Slot<G> {
    Slot {
        instance: instance_info::<G, S, AT>(),
        skill: S::__VTABLE,
        of: |state| S::of(state),
        of_mut: |state| S::of_mut(state),
        call: |state, action, request, queued| {
            (S::ACTIONS[action].perform)(S::of_mut(state), request, queued)
        },
    }
}

impl<G: Agent> Slot<G> {
    /// Returns the key of the instance's state; empty for the agent's own base fields.
    pub(crate) const fn key(&self) -> &'static str {
        self.instance.key
    }

    /// Returns the parts of a context of the instance.
    pub(crate) fn parts<'a>(
        &'static self,
        env: &'a AgentEnv,
        meta: Option<&'a Arc<CommandMeta>>,
    ) -> ContextParts<'a> {
        ContextParts {
            instance: &self.instance,
            env,
            meta,
        }
    }

    /// Returns the state as JSON.
    pub(crate) fn value(&self, state: &G::State) -> PartialJson {
        (self.skill.state.value)((self.of)(state))
    }

    /// Applies a document to the state, unless there is a problem.
    pub(crate) fn update(
        &self,
        state: &mut G::State,
        document: &Value,
        update: Update,
        problems: &mut Vec<Problem>,
    ) {
        let (at, skill) = (self.key(), (self.of)(state));
        let layout = Layout {
            is_struct: at.is_empty(), // the base fields
            ..(self.skill.spec)().state_layout()
        };
        let new = (self.skill.state.update)(skill, document, update, at, layout, problems);
        if let Some(mut new) = new {
            self.put(state, &mut new);
        }
    }

    /// Swaps the state with a new one.
    pub(crate) fn put(&self, state: &mut G::State, new: &mut SharedState) {
        let new = Arc::get_mut(new).expect("a new state is not shared");
        self.swap(state, new);
    }

    /// Swaps the state with a different one.
    pub(crate) fn swap(&self, state: &mut G::State, other: &mut dyn Any) {
        (self.skill.state.swap)((self.of_mut)(state), other);
    }

    /// Returns the configuration as JSON.
    pub(crate) fn config(&self, env: &AgentEnv) -> Value {
        (self.skill.config.value)(self.instance.config(env)).0
    }

    /// Merges a document into the configuration, unless there is a problem.
    pub(crate) fn configure(&self, env: &mut AgentEnv, patch: &Value, problems: &mut Vec<Problem>) {
        let (key, spec, fns) = (self.key(), (self.skill.spec)(), self.skill.config);
        let config = self.instance.config(env);
        let merged = (fns.merge)(config, patch, key, spec.config_layout(), problems);
        if let Some(merged) = merged {
            env.set_config(key, OwnConfig::erased(fns, merged, spec.config_secrets));
        }
    }

    /// Returns the children from `Hooks::child_specs`. An alias becomes a prefix of their ids: `feed` of `Calculator as calc` is
    /// `calc.feed`.
    pub(crate) fn child_specs(&self, env: &AgentEnv) -> Vec<ChildSpec> {
        let Some(hooks) = &self.skill.hooks else {
            return Vec::new();
        };
        let mut specs = (hooks.child_specs)(self.instance.config(env));
        if self.instance.aliased {
            for spec in &mut specs {
                spec.id = format!("{}.{}", self.instance.name, spec.id).into();
            }
        }
        specs
    }

    /// Returns the text from `Hooks::turn_context`.
    pub(crate) fn turn_context(
        &'static self,
        state: &G::State,
        env: &AgentEnv,
    ) -> Option<TurnContext> {
        let hooks = self.skill.hooks.as_ref()?;
        let parts = self.parts(env, None);
        TurnContext::of(self.instance.name, || {
            (hooks.turn_context)((self.of)(state), parts)
        })
    }

    /// Returns the routes from `Hooks::routes`.
    pub(crate) fn routes(&self, env: &AgentEnv) -> Vec<(Route, Instruction)> {
        let hooks = self.skill.hooks.as_ref();
        let routes = |hooks: &HookFns| (hooks.routes)(&self.instance, self.instance.config(env));
        hooks.map(routes).unwrap_or_default()
    }
}

/// Creates an instance's state from its configuration.
pub fn init<G: Agent, S: SkillOf<G, AT>, const AT: usize>(env: &AgentEnv) -> S {
    S::init(config_of::<G, S, AT>(env))
}

/// Copies an instance's state.
pub fn duplicate<G: Agent, S: SkillOf<G, AT>, const AT: usize>(skill: &S) -> S {
    S::Config::__clone(skill)
}
