//! Type-erased operations on one of an agent's skills.

mod async_actions;
mod take_config;

pub use async_actions::{
    Absent, AgentRunsWith, AsyncRequest, NoActions, SlotAsyncActions, SlotAt, SlotRunsWith,
    SlotsRunWith,
};
pub use take_config::{kept_fields, kept_fields_of_mounted, take_config};

use crate::action::{ErasedAction, Input, Request};
use crate::agent::run::skill_of::{config_of, instance_info, key_of};
use crate::bounds::{ConfigOf, Configuration, PartialJson, StoredState};
use crate::context::{AgentEnv, CommandMeta, OwnConfig, QueuedEffects};
use crate::hooks::{HookAnswer, HookRequest};
use crate::skill::config_fields;
use crate::{
    Agent, CallFailure, ChildSpec, Context, Handled, HookError, Instruction, Route, SkillOf,
};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;
use skill_agent_schema::{Layout, Problem, ReadError, Update};
use std::sync::Arc;

/// A closure that restores a skill's saved state.
pub(crate) type Undo<G> = crate::bounds::Undo<<G as Agent>::State>;

/// The operations on one instance. `agent!` generates one constant per skill.
pub struct SlotVtable<G: Agent> {
    /// The key of the instance's state; empty for the agent's own base fields.
    pub(crate) key: &'static str,
    pub(crate) read: fn(action: usize, Input<'_>) -> Result<ErasedAction, ReadError>,
    pub(crate) call: Call<G>,
    pub(crate) save: fn(&G::State) -> Undo<G>,
    pub(crate) write: fn(&G::State) -> PartialJson,
    pub(crate) update: fn(&mut G::State, &Value, Update, &mut Vec<Problem>),
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) configure: fn(&mut AgentEnv, &Value, &mut Vec<Problem>),
    pub(crate) config: fn(&AgentEnv) -> Value,
    pub(crate) stored: fn(&G::State) -> &dyn erased_serde::Serialize,
    pub(crate) from_stored: FromStored<G>,
    pub(crate) read_back: ReadBack,
    /// The fields that take their initial value from the configuration, or `None` if there are no such fields.
    pub(crate) config_fields: Option<SlotConfigFields<G>>,
    /// The skill's hooks, or `None` if it has no hooks.
    pub(crate) hooks: Option<SlotHooks<G>>,
}

/// The hooks of one instance.
pub(crate) struct SlotHooks<G: Agent> {
    pub(crate) call: HookCall<G>,
    pub(crate) routes: fn(&AgentEnv) -> Vec<(Route, Instruction)>,
    pub(crate) restore: Restore<G>,
    pub(crate) child_specs: fn(&AgentEnv) -> Vec<ChildSpec>,
}

/// The fields of an instance that take their initial value from the configuration.
pub(crate) struct SlotConfigFields<G: Agent> {
    pub(crate) take: fn(&mut G::State, &AgentEnv),
    pub(crate) kept: fn(&G::State, &AgentEnv, stored: Option<&Value>) -> Vec<&'static str>,
}

/// Restores a state from a store.
pub(crate) type FromStored<G> =
    fn(&mut <G as Agent>::State, &mut StoredState<'_, '_>) -> Result<(), erased_serde::Error>;

/// Reads a state from a store and passes it to a function without keeping it.
pub(crate) type ReadBack = fn(
    &mut StoredState<'_, '_>,
    &mut dyn FnMut(&dyn erased_serde::Serialize),
) -> Result<(), erased_serde::Error>;

/// Converts a stored state of a different version.
pub(crate) type Restore<G> =
    fn(&mut <G as Agent>::State, version: &str, state: Value) -> Result<(), HookError>;

/// Calls a hook. Returns the hook's answer, and an undo if the hook changed the state. A default hook, or a hook that returns
/// `Ignored` or an error, changes and queues nothing.
pub(crate) type HookCall<G> = fn(
    &mut G,
    HookRequest<'_>,
    Option<&Arc<CommandMeta>>,
    &mut QueuedEffects,
) -> Result<(HookAnswer, Option<Undo<G>>), HookError>;

/// Calls the action at an index.
pub(crate) type Call<G> =
    fn(&mut G, action: usize, Request<'_>, &mut QueuedEffects) -> Result<String, CallFailure>;

/// Returns an instance's slot.
pub const fn slot<G: Agent, S: SkillOf<G, AT>, const AT: usize>() -> SlotVtable<G> {
    slot_at::<G, S, AT>(key_of::<G, S, AT>())
}

/// Returns the slot of the base fields, which have no key.
pub const fn base_slot<G: Agent, S: SkillOf<G>>() -> SlotVtable<G> {
    slot_at::<G, S, 0>("")
}

const fn slot_at<G: Agent, S: SkillOf<G, AT>, const AT: usize>(key: &'static str) -> SlotVtable<G> {
    SlotVtable {
        key,
        read: |action, input| (S::ACTIONS[action].read)(input),
        call: call::<G, S, AT>,
        save: save::<G, S, AT>,
        write: |state| (S::__DATA.value)(S::of(state)),
        update: update::<G, S, AT>,
        // a closure that reads the `static`: copying the pointer here would instantiate the function in this crate
        schema: |generator| (S::__DATA.schema)(generator),
        configure: configure::<G, S, AT>,
        config: |env| config_of::<G, S, AT>(env).__to_value().0,
        stored: |state| (S::__DATA.stored)(S::of(state)),
        from_stored: |state, stored| {
            *S::of_mut(state) = (S::__DATA.from_stored)(stored)?;
            Ok(())
        },
        read_back: |stored, then| {
            then((S::__DATA.stored)(&(S::__DATA.from_stored)(stored)?));
            Ok(())
        },
        config_fields: if config_fields::has_any::<S>() {
            Some(SlotConfigFields {
                take: |state, env| {
                    config_fields::take(S::of_mut(state), config_of::<G, S, AT>(env))
                },
                kept: |state, env, stored| {
                    config_fields::kept(S::of(state), config_of::<G, S, AT>(env), stored)
                },
            })
        } else {
            None
        },
        hooks: match S::HOOKS {
            Some(_) => Some(SlotHooks {
                call: hook::<G, S, AT>,
                routes: routes::<G, S, AT>,
                restore: restore::<G, S, AT>,
                child_specs: child_specs::<G, S, AT>,
            }),
            None => None,
        },
    }
}

fn hook<G: Agent, S: SkillOf<G, AT>, const AT: usize>(
    agent: &mut G,
    request: HookRequest<'_>,
    meta: Option<&Arc<CommandMeta>>,
    queued: &mut QueuedEffects,
) -> Result<(HookAnswer, Option<Undo<G>>), HookError> {
    let Some(hooks) = S::HOOKS else {
        return Ok((request.default_answer()?, None));
    };
    let (state, env) = agent.__parts_mut();
    let mut cx = Context::new(const { &instance_info::<G, S, AT>() }, env, meta);
    let skill = S::of_mut(state);
    // whether the hook is a default one is known only after the call, so each call needs a copy
    let mut copy = S::Config::__clone(skill);
    let hook = request.hook();
    let answer = (hooks.call)(&mut copy, request, &mut cx)?;
    if cx.default_hook == Some(hook) || matches!(answer, HookAnswer::Handled(Handled::Ignored)) {
        return Ok((answer, None));
    }
    let before = std::mem::replace(skill, copy);
    cx.queue_into(queued);
    Ok((answer, Some(make_undo::<G, S, AT>(before))))
}

/// Returns an instance's children. An alias becomes a prefix of their ids: `feed` of `Calculator as calc` is `calc.feed`.
fn child_specs<G: Agent, S: SkillOf<G, AT>, const AT: usize>(env: &AgentEnv) -> Vec<ChildSpec> {
    let Some(hooks) = S::HOOKS else {
        return Vec::new();
    };
    let mut specs = (hooks.child_specs)(config_of::<G, S, AT>(env));
    if let Some(alias) = S::ALIAS {
        for spec in &mut specs {
            spec.id = format!("{alias}.{}", spec.id).into();
        }
    }
    specs
}

fn restore<G: Agent, S: SkillOf<G, AT>, const AT: usize>(
    state: &mut G::State,
    version: &str,
    old: Value,
) -> Result<(), HookError> {
    if let Some(hooks) = S::HOOKS {
        *S::of_mut(state) = (hooks.restore)(version, old)?;
    }
    Ok(())
}

fn routes<G: Agent, S: SkillOf<G, AT>, const AT: usize>(
    env: &AgentEnv,
) -> Vec<(Route, Instruction)> {
    let Some(hooks) = S::HOOKS else {
        return Vec::new();
    };
    let instance = const { &instance_info::<G, S, AT>() };
    let routes = (hooks.routes)(config_of::<G, S, AT>(env)).into_iter();
    routes
        .map(|(route, instruction)| instance.rename_route::<S>(route, instruction))
        .collect()
}

fn call<G: Agent, S: SkillOf<G, AT>, const AT: usize>(
    agent: &mut G,
    action: usize,
    request: Request<'_>,
    queued: &mut QueuedEffects,
) -> Result<String, CallFailure> {
    let (state, env) = agent.__parts_mut();
    let instance = const { &instance_info::<G, S, AT>() };
    (S::ACTIONS[action].perform)(S::of_mut(state), instance, env, request, queued)
}

fn save<G: Agent, S: SkillOf<G, AT>, const AT: usize>(state: &G::State) -> Undo<G> {
    make_undo::<G, S, AT>(S::Config::__clone(S::of(state)))
}

/// Returns an undo that restores an instance's state.
pub(crate) fn make_undo<G: Agent, S: SkillOf<G, AT>, const AT: usize>(saved: S) -> Undo<G> {
    S::Config::__undo(saved, S::of_mut)
}

fn update<G: Agent, S: SkillOf<G, AT>, const AT: usize>(
    state: &mut G::State,
    document: &Value,
    update: Update,
    problems: &mut Vec<Problem>,
) {
    let (at, skill) = (key_of::<G, S, AT>(), S::of_mut(state));
    let layout = Layout {
        is_struct: at.is_empty(), // the base fields
        ..S::SPEC.state_layout()
    };
    if let Some(new) = (S::__DATA.update)(skill, document, update, at, layout, problems) {
        *skill = new;
    }
}

fn configure<G: Agent, S: SkillOf<G, AT>, const AT: usize>(
    env: &mut AgentEnv,
    patch: &Value,
    problems: &mut Vec<Problem>,
) {
    let (key, config) = (key_of::<G, S, AT>(), config_of::<G, S, AT>(env));
    if let Some(config) = config.__merge(patch, key, S::SPEC.config_layout(), problems) {
        env.set_config(key, OwnConfig::new(config, S::SPEC.config_secrets));
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
