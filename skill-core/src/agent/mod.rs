//! An agent: a list of skills, put together.

mod apply_mounts;
mod async_slots;
mod builder;
mod call;
mod deliver;
mod describe;
mod flat;
mod hooked;
mod instance;
mod listed;
mod mounting;
mod no_base;
mod perform;
mod resolve;
mod skill_of;
mod slot;
mod state;
mod transaction;

pub use async_slots::{
    Absent, AgentRunsWith, AsyncRequest, At, SlotAsyncActions, SlotRunsWith, SlotsRunWith,
};
pub use builder::AgentBuilder;
pub use instance::Instance;
pub use listed::{index_of, listed_spec, prefixed, prefixed_length, text};
pub use no_base::NoBase;
pub use perform::{Attempted, Performed, perform};
pub use resolve::{ResolvedAction, action_id_of, requirement_order, resolve, spec_of};
pub use skill_of::{HasSkill, RunsOn, SkillOf};
pub use slot::{SlotVtable, base_slot, duplicate, init, slot};
pub(crate) use state::MOUNTED_KEY;
pub use state::{write_base, write_mounted, write_skill};
pub use transaction::{MetaRef, Saved, Transaction};

use crate::composition::AgentTables;
use crate::context::{AgentEnv, CommandMeta};
use crate::json::StateError;
use crate::{
    ActionSpec, AgentSpec, CallError, DeliverError, Directive, Instruction, Mountable, Mounted,
    Outcome, Route, RunError, Signal, Skill, SkillSpec, Stamp, Tool,
};
use schemars::Schema;
use serde::Serialize;
use serde_json::Value;

/// An agent that `agent!` made of skills: typed commands, calls by name, state, introspection.
///
/// It is a value: nothing runs, nothing is shared. Every command is pure, so the same agent and the same command give the
/// same answer, and on an error the agent is as it was (Jido's `cmd/2`, seed 001).
///
/// ```
/// # #[cfg(feature = "macros")] {
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use skill_core::{Agent, Skill, action, agent};
///
/// /// Counts.
/// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// #[serde(default)]
/// #[skill(name = "counter", actions(Increment))]
/// pub struct Counter {
///     count: u32,
/// }
///
/// /// Add to the counter.
/// #[action]
/// pub fn increment(counter: &mut Counter, by: u32) -> u32 {
///     counter.count += by;
///     counter.count
/// }
///
/// agent! {
///     pub struct Clerk {
///         name: "clerk",
///         skills: [Counter],
///     }
/// }
///
/// let mut clerk = Clerk::new();
/// assert_eq!(clerk.cmd(Increment { by: 2 }).unwrap().output, 2);
/// assert_eq!(clerk.call_json("increment", r#"{"by":3}"#).unwrap().output, "5");
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an agent",
    label = "`Agent` is not implemented",
    note = "an agent is the struct in `agent! {{ pub struct ... {{ name: \"…\", skills: [...] }} }}`"
)]
pub trait Agent: Sized + Clone + Send + Sync + 'static {
    /// The state: base fields, and one field for each skill.
    type State: Serialize + Clone + Send + Sync + 'static;
    /// The base fields; the agent's own actions take them.
    type Base: Skill;
    /// Everything the agent says of itself.
    const SPEC: AgentSpec;

    #[doc(hidden)]
    fn __tables() -> &'static AgentTables;
    #[doc(hidden)]
    fn __slots() -> &'static [SlotVtable<Self>];
    #[doc(hidden)]
    fn __from_env(env: AgentEnv) -> Self;
    #[doc(hidden)]
    fn __parts(&self) -> (&Self::State, &AgentEnv);
    #[doc(hidden)]
    fn __parts_mut(&mut self) -> (&mut Self::State, &mut AgentEnv);
    #[doc(hidden)]
    fn __mounted(_: &Self::State) -> Option<&Mounted> {
        None
    }
    #[doc(hidden)]
    fn __mounted_mut(_: &mut Self::State) -> Option<&mut Mounted> {
        None
    }
    /// What `mounted: [...]` lists; `None` without that key.
    #[doc(hidden)]
    fn __mountable() -> Option<&'static [Mountable]> {
        None
    }

    /// A fresh agent: every skill initialized by its configuration.
    fn new() -> Self {
        Self::__from_env(AgentEnv::default())
    }

    /// A fresh agent with an id.
    fn with_id(id: impl Into<String>) -> Self {
        let mut env = AgentEnv::default();
        env.set_id(id.into());
        Self::__from_env(env)
    }

    /// Begins an agent with configuration that is known at run time only.
    fn builder() -> AgentBuilder<Self> {
        AgentBuilder::new()
    }

    /// Its id, where it was given one.
    fn id(&self) -> Option<&str> {
        self.__parts().1.id()
    }

    /// Its state. `agent.state().calculator` is the typed state of the skill; serialized, it is one JSON object.
    fn state(&self) -> &Self::State {
        self.__parts().0
    }

    /// Runs a typed action.
    ///
    /// # Errors
    /// The action's own; the state is as before.
    #[inline]
    fn cmd<A: RunsOn<Self>>(&mut self, action: A) -> Result<Outcome<A::Output>, A::Error> {
        action.__run_on(self)
    }

    /// Runs a typed action that may ask for the time and an id.
    ///
    /// # Errors
    /// The action's own; the state is as before.
    fn cmd_stamped<A: RunsOn<Self>>(
        &mut self,
        stamp: &Stamp,
        action: A,
    ) -> Result<Outcome<A::Output>, A::Error> {
        action.__run_stamped(self, stamp)
    }

    /// Runs an action by name on the JSON text of its arguments; the answer is JSON text.
    ///
    /// # Errors
    /// An unknown or internal action, wrong arguments, the action's own error, an answer that JSON cannot hold. The agent is
    /// as before.
    fn call_json(&mut self, action: &str, arguments: &str) -> Result<Outcome<String>, CallError> {
        call::call(self, action, arguments, None)
    }

    /// The same for an action that may ask for the time and an id.
    ///
    /// # Errors
    /// As [`call_json`](Self::call_json).
    fn call_json_stamped(
        &mut self,
        stamp: &Stamp,
        action: &str,
        arguments: &str,
    ) -> Result<Outcome<String>, CallError> {
        call::call(self, action, arguments, Some(&CommandMeta::stamped(stamp)))
    }

    /// Runs instructions one after another: all of them, or none. Internal actions may be among them.
    ///
    /// # Errors
    /// The first that failed, and why; the agent is as before the first of them.
    fn run(&mut self, instructions: &[Instruction]) -> Result<Outcome<Vec<Value>>, RunError> {
        call::run(self, instructions, None)
    }

    /// The same for actions that may ask for the time and an id.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    fn run_stamped(
        &mut self,
        stamp: &Stamp,
        instructions: &[Instruction],
    ) -> Result<Outcome<Vec<Value>>, RunError> {
        call::run(self, instructions, Some(&CommandMeta::stamped(stamp)))
    }

    /// Offers a signal to the hooks of the agent, of its skills, each after those it requires, and of mounted ones, until one
    /// handles it; gives what that one queued, and `None` when none did. A skill is asked when one of its `signals` matches,
    /// or it names none. Routes are not followed: that is for a server.
    ///
    /// # Errors
    /// The first error of a hook; the agent is as before.
    fn deliver(&mut self, signal: &Signal) -> Result<Option<Vec<Directive>>, DeliverError> {
        deliver::deliver(self, signal)
    }

    /// A fresh agent with the text of a partial state laid over it.
    ///
    /// # Errors
    /// Every problem with its path: unknown and repeated keys, wrong types.
    fn from_state_json(text: &str) -> Result<Self, StateError> {
        let mut agent = Self::new();
        state::set(&mut agent, &state::read(text)?)?;
        Ok(agent)
    }

    /// Lays a partial state over the present one: objects merge, everything else is replaced.
    ///
    /// # Errors
    /// Every problem with its path; nothing has changed.
    fn set(&mut self, patch: &Value) -> Result<(), StateError> {
        state::set(self, patch)
    }

    /// The same for the text of a partial state.
    ///
    /// # Errors
    /// As [`set`](Self::set), and repeated keys.
    fn set_json(&mut self, text: &str) -> Result<(), StateError> {
        state::set(self, &state::read(text)?)
    }

    /// Says whether a partial state would be taken by a fresh agent.
    ///
    /// # Errors
    /// Every problem with its path.
    fn validate(patch: &Value) -> Result<(), StateError> {
        state::set(&mut Self::new(), patch)
    }

    /// The state as JSON text; [`from_state_json`](Self::from_state_json) reads it back.
    ///
    /// # Errors
    /// As [`state_value`](Self::state_value).
    fn state_json(&self) -> Result<String, StateError> {
        Ok(self.state_value()?.to_string())
    }

    /// The state as a JSON value.
    ///
    /// # Errors
    /// The path of each value that JSON cannot hold; `serde_json::to_value(agent.state())` writes NaN and infinity as `null`.
    fn state_value(&self) -> Result<Value, StateError> {
        state::to_value(self)
    }

    /// The schema of the state, with the defaults that hold for this agent. Made once per process.
    fn schema() -> &'static Schema {
        Self::__tables().schema.get_or_init(state::schema::<Self>)
    }

    /// The specs of its skills, in the order of the list.
    fn skills() -> &'static [SkillSpec] {
        Self::__tables().listed_skills()
    }

    /// The same as [`skills`](Self::skills), under the other name that seed 001 has for it.
    fn skill_specs() -> &'static [SkillSpec] {
        Self::skills()
    }

    /// The specs of its actions, its own first, internal ones included.
    fn actions() -> &'static [ActionSpec] {
        Self::__tables().actions
    }

    /// Which signals run which actions, as the instances spell them, in the order of the list.
    fn routes() -> Vec<(Route, &'static str)> {
        let tables = Self::__tables();
        let mut routes = Vec::new();
        for (action, id) in tables.actions.iter().zip(tables.action_ids) {
            for route in action.routes {
                let mut route = route.clone();
                let skill = &tables.skills[id.skill as usize];
                route.pattern = skill.spell(&route.pattern).into();
                routes.push((route, action.name));
            }
        }
        routes
    }

    /// What a model is shown.
    fn tools() -> &'static [Tool<'static>] {
        Self::__tables().tools
    }

    /// What a model is shown of this agent as it is now: [`tools`](Self::tools), and those of mounted skills.
    fn all_tools(&self) -> Vec<Tool<'static>> {
        let mounted = Self::__mounted(self.__parts().0).map(Mounted::tools);
        [Self::tools(), mounted.as_deref().unwrap_or_default()].concat()
    }

    /// The configuration that `agent!` declares for a skill.
    fn skill_config<S: SkillOf<Self>>() -> &'static S::Config {
        S::declared()
    }

    /// The configuration that this agent has for a skill: the declared one, or that of the builder.
    fn config<S: SkillOf<Self>>(&self) -> &S::Config {
        skill_of::config_of::<Self, S, 0>(self.__parts().1)
    }

    /// The state of a skill.
    fn skill_state<S: SkillOf<Self>>(&self) -> &S {
        S::of(self.__parts().0)
    }

    /// All of it as JSON: the spec, skills with configuration, actions with schemas, the schema of the state.
    fn describe() -> Value {
        describe::describe::<Self>()
    }
}
