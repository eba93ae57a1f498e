//! One skill of an agent without its type: what the parts of an agent that no type reaches work with.

use super::shell::{OwnConfig, Shell, place};
use super::skill_of::key_of;
use crate::action::Request;
use crate::data::{ConfigOf, Lossy, SkillConfig};
use crate::json::{Problem, WriteError};
use crate::{Agent, CallFailure, Directive, SkillOf};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

/// Puts back the state that a skill had.
pub(crate) type Undo<G> = Box<dyn FnOnce(&mut <G as Agent>::State)>;

/// The functions of one instance; a constant per skill, made by `agent!`.
pub struct Slot<G: Agent> {
    /// The key of its state; empty for the agent's own base fields.
    pub(crate) key: &'static str,
    pub(crate) call: Call<G>,
    pub(crate) save: fn(&G::State) -> Undo<G>,
    pub(crate) write: fn(&G::State) -> Lossy,
    pub(crate) overlay: fn(&mut G::State, &Value, &mut Vec<Problem>),
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) configure: fn(&mut Shell, &Value, &mut Vec<Problem>),
    pub(crate) config: fn(&Shell) -> Value,
}

/// Calls the action at an index.
pub(crate) type Call<G> =
    fn(&mut G, action: usize, Request<'_>, &mut Vec<Directive>) -> Result<String, CallFailure>;

/// The slot of an instance.
pub const fn slot<G: Agent, S: SkillOf<G, AT>, const AT: usize>() -> Slot<G> {
    slot_at::<G, S, AT>(key_of::<G, S, AT>())
}

/// The slot of the base fields, which have no key of their own.
pub const fn base_slot<G: Agent, S: SkillOf<G>>() -> Slot<G> {
    slot_at::<G, S, 0>("")
}

const fn slot_at<G: Agent, S: SkillOf<G, AT>, const AT: usize>(key: &'static str) -> Slot<G> {
    Slot {
        key,
        call: call::<G, S, AT>,
        save: save::<G, S, AT>,
        write: |state| S::Config::__state_value(S::of(state)),
        overlay: overlay::<G, S, AT>,
        schema: S::Config::__state_schema,
        configure: configure::<G, S, AT>,
        config: |shell| shell.config::<G, S, AT>().__to_value().0,
    }
}

fn call<G: Agent, S: SkillOf<G, AT>, const AT: usize>(
    agent: &mut G,
    action: usize,
    request: Request<'_>,
    directives: &mut Vec<Directive>,
) -> Result<String, CallFailure> {
    let (state, shell) = agent.__parts_mut();
    let place = const { &place::<G, S, AT>() };
    (S::ACTIONS[action].perform)(S::of_mut(state), place, shell, request, directives)
}

fn save<G: Agent, S: SkillOf<G, AT>, const AT: usize>(state: &G::State) -> Undo<G> {
    let saved = S::Config::__duplicate(S::of(state));
    Box::new(move |state| *S::of_mut(state) = saved)
}

fn overlay<G: Agent, S: SkillOf<G, AT>, const AT: usize>(
    state: &mut G::State,
    patch: &Value,
    problems: &mut Vec<Problem>,
) {
    let (at, skill) = (key_of::<G, S, AT>(), S::of_mut(state));
    if let Some(new) = S::Config::__overlay_state(skill, patch, at, S::SPEC.state_schema, problems)
    {
        *skill = new;
    }
}

fn configure<G: Agent, S: SkillOf<G, AT>, const AT: usize>(
    shell: &mut Shell,
    patch: &Value,
    problems: &mut Vec<Problem>,
) {
    let (key, config) = (key_of::<G, S, AT>(), shell.config::<G, S, AT>());
    if let Some(config) = config.__overlay(patch, key, S::SPEC.config_schema, problems) {
        shell.set_config(key, OwnConfig::new(config));
    }
}

/// A value of the program that JSON cannot hold.
#[cold]
pub(crate) fn unwritable(at: &str, error: &WriteError) -> Problem {
    match error {
        WriteError::NotFinite { path, value, .. } => {
            let path = match &**path {
                "" => at.to_owned(),
                path if at.is_empty() || path.starts_with('[') => format!("{at}{path}"),
                path => format!("{at}.{path}"),
            };
            Problem::new(path, format!("JSON cannot hold {value}"))
        }
        other => Problem::new(at, other.to_string()),
    }
}

/// The fresh state of an instance, by the configuration that holds.
pub fn init<G: Agent, S: SkillOf<G, AT>, const AT: usize>(shell: &Shell) -> S {
    S::init(shell.config::<G, S, AT>())
}

/// A copy of the state of an instance.
pub fn duplicate<G: Agent, S: SkillOf<G, AT>, const AT: usize>(skill: &S) -> S {
    S::Config::__duplicate(skill)
}
