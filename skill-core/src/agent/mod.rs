//! The trait [`Agent`] and the code behind its methods.

mod base_without_hooks;
mod builder;
mod data_flow;
mod describe;
mod flat;
mod hooked;
mod instance;
mod instance_tools;
mod listed;
mod mounting;
mod parts;
pub(crate) mod run;
mod slot;
mod state;
mod turn_contexts;

pub use base_without_hooks::BaseWithoutHooks;
pub use builder::AgentBuilder;
pub(crate) use builder::check_config;
pub use instance::{Instance, InstanceRef};
pub use instance_tools::{InstanceTools, listed_tools, mounted_skills, tools_of_mounted};
pub use listed::{index_of, listed_spec, prefixed, prefixed_length, text};
pub use parts::AgentParts;
pub use run::condition::{RefusedTool, check_condition, refused_tools};
pub use run::perform::{AppliedAction, perform};
pub use run::resolve::{
    DeclaredNames, ResolvedAction, action_id_of, check_current, declared_names, leave_out_unknown,
    read_action, requirement_order, resolve, spec_of, tools_of,
};
pub(crate) use run::skill_of::key_of;
pub use run::skill_of::{HasSkill, ListedIn, RunsOn, SkillOf};
pub use run::transaction::{MetaRef, Saved, SavedState, Transaction};
pub use slot::{
    Absent, AgentRunsWith, AsyncRequest, NoActions, Slot, SlotAsyncActions, SlotAt, SlotRunsWith,
    SlotsRunWith, duplicate, init, kept_fields, kept_fields_of_mounted, slot, take_config,
};
pub(crate) use state::{MOUNTED_KEY, mask, violations};
pub use state::{write_base, write_mounted, write_skill};
pub use turn_contexts::turn_contexts;

use crate::composition::AgentTables;
use crate::context::{AgentEnv, CommandMeta};
use crate::{
    ActionSpec, AgentSpec, CallError, DeliverError, Directive, Instruction, Mountable, Mounted,
    Outcome, Route, RunError, Signal, Skill, SkillSpec, Stamp, Tool,
};
use schemars::Schema;
use serde::Serialize;
use serde_json::Value;
use skill_agent_schema::StateError;

/// An agent composed of skills with `agent!`: typed commands, calls by name, state, introspection.
///
/// An agent is a plain value without tasks or shared state. Every command is pure: the same command on the same agent gives the
/// same output. A command that fails leaves the agent unchanged.
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
    /// The agent's state: base fields, and one field per skill.
    type State: Serialize + Clone + Send + Sync + 'static;
    /// The base fields. The agent's own actions take this type.
    type Base: Skill;
    /// The agent's metadata.
    const SPEC: AgentSpec;

    #[doc(hidden)]
    fn __tables() -> &'static AgentTables;
    #[doc(hidden)]
    fn __slots() -> &'static [Slot<Self>];
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
    /// Returns the skills in `mounted: [...]`, or `None` if the agent does not have this key.
    #[doc(hidden)]
    fn __mountable() -> Option<&'static [Mountable]> {
        None
    }

    /// Creates an agent with every skill initialized from its configuration.
    fn new() -> Self {
        Self::__from_env(AgentEnv::default())
    }

    /// Creates an agent with an id.
    fn with_id(id: impl Into<String>) -> Self {
        Self::__from_env(AgentEnv::with_id(id.into()))
    }

    /// Returns a builder for an agent with configuration supplied at run time.
    fn builder() -> AgentBuilder<Self> {
        AgentBuilder::new()
    }

    /// Returns the agent's id.
    fn id(&self) -> Option<&str> {
        self.__parts().1.id()
    }

    /// Returns the agent's state, which serializes as one JSON object. `agent.state().calculator` is the typed state of a skill.
    fn state(&self) -> &Self::State {
        self.__parts().0
    }

    /// Runs a typed action.
    ///
    /// # Errors
    /// Returns the action's own error. The state is unchanged.
    ///
    /// # Panics
    /// Panics if the action panics. The skill then keeps the changes made before the panic, because this method does not save the
    /// state first. [`run`](Self::run) undoes such changes, and so does a server.
    #[inline]
    fn cmd<A: RunsOn<Self>>(&mut self, action: A) -> Result<Outcome<A::Output>, A::Error> {
        action.__run_on(self, None)
    }

    /// Like [`cmd`](Self::cmd), but with a stamp: a time and an id that the action can read from its context.
    ///
    /// # Errors
    /// Returns the action's own error. The state is unchanged.
    fn cmd_stamped<A: RunsOn<Self>>(
        &mut self,
        stamp: &Stamp,
        action: A,
    ) -> Result<Outcome<A::Output>, A::Error> {
        action.__run_on(self, Some(stamp))
    }

    /// Runs an action by name with its arguments as JSON text, and returns its output as JSON text.
    ///
    /// # Errors
    /// Fails if the action is unknown or internal, if its condition refuses the call, if the arguments are invalid, if the action
    /// fails, or if JSON cannot represent its output. The agent is unchanged.
    ///
    /// # Panics
    /// Panics if the action or its condition panics. An agent without `mounted: [...]` then keeps the changes made before the panic.
    fn call_json(&mut self, action: &str, arguments: &str) -> Result<Outcome<String>, CallError> {
        crate::agent::run::call::call(self, action, arguments, None)
    }

    /// Like [`call_json`](Self::call_json), but with a stamp.
    ///
    /// # Errors
    /// Returns the same errors as [`call_json`](Self::call_json).
    fn call_json_stamped(
        &mut self,
        stamp: &Stamp,
        action: &str,
        arguments: &str,
    ) -> Result<Outcome<String>, CallError> {
        crate::agent::run::call::call(self, action, arguments, Some(&CommandMeta::stamped(stamp)))
    }

    /// Runs instructions one after another: all of them succeed, or none takes effect. They may name internal actions.
    ///
    /// # Errors
    /// Returns the first failed instruction and its error. The agent is unchanged.
    ///
    /// # Panics
    /// Panics if an action panics. The agent is unchanged.
    fn run(&mut self, instructions: &[Instruction]) -> Result<Outcome<Vec<Value>>, RunError> {
        crate::agent::run::call::run(self, instructions, None)
    }

    /// Like [`run`](Self::run), but with a stamp.
    ///
    /// # Errors
    /// Returns the same errors as [`run`](Self::run).
    fn run_stamped(
        &mut self,
        stamp: &Stamp,
        instructions: &[Instruction],
    ) -> Result<Outcome<Vec<Value>>, RunError> {
        crate::agent::run::call::run(self, instructions, Some(&CommandMeta::stamped(stamp)))
    }

    /// Offers a signal to `Hooks::handle_signal` of the agent, then of its listed skills (each after the skills it requires),
    /// then of its mounted skills, until one handles it. A skill takes part if one of its `signals` matches, or if it has no
    /// `signals`. Only a server follows routes.
    ///
    /// Returns the directives of the hook that handled the signal, or `None` if no hook handled it.
    ///
    /// # Errors
    /// Returns the first hook error. The agent is unchanged.
    fn deliver(&mut self, signal: &Signal) -> Result<Option<Vec<Directive>>, DeliverError> {
        crate::agent::run::deliver::deliver(self, signal)
    }

    /// Creates an agent with the state in JSON text, such as the output of [`state_json`](Self::state_json).
    ///
    /// A missing skill or struct field is initialized as in [`new`](Self::new). Maps, lists and enums must be complete. A
    /// constraint, such as `#[schemars(range(…))]`, applies to the values that are read, but not to values that an action writes.
    ///
    /// # Errors
    /// Returns every problem with its path: unknown and repeated keys, wrong types, violated constraints.
    fn from_state_json(text: &str) -> Result<Self, StateError> {
        let mut agent = Self::new();
        state::replace(&mut agent, &state::read(text)?)?;
        Ok(agent)
    }

    /// Replaces the state with JSON text, which is read in the same way as by [`from_state_json`](Self::from_state_json). The id
    /// and the configuration stay. Missing parts get the values of a new agent with this configuration. Mounted skills that the
    /// text lacks are unmounted.
    ///
    /// # Errors
    /// Returns the same errors as [`from_state_json`](Self::from_state_json). The agent is unchanged.
    fn replace_state_json(&mut self, text: &str) -> Result<(), StateError> {
        state::replace(self, &state::read(text)?)
    }

    /// Changes the state with a merge patch (RFC 7396). Its values must satisfy the schema's constraints.
    ///
    /// Structs and maps are merged key by key; enums, lists and all other values are replaced. `null` removes a map entry. For a
    /// struct field, `null` is a value, because otherwise an `Option` whose default is `Some` could never become `None`.
    ///
    /// # Errors
    /// Returns every problem with its path. The agent is unchanged.
    fn set(&mut self, patch: &Value) -> Result<(), StateError> {
        state::set(self, patch)
    }

    /// Like [`set`](Self::set), but for JSON text.
    ///
    /// # Errors
    /// Returns the same errors as [`set`](Self::set). A repeated key is also an error.
    fn set_json(&mut self, text: &str) -> Result<(), StateError> {
        state::set(self, &state::read(text)?)
    }

    /// Checks whether [`from_state_json`](Self::from_state_json) would accept a state. [`schema`](Self::schema) describes its
    /// form.
    ///
    /// # Errors
    /// Returns every problem with its path.
    fn validate(state: &Value) -> Result<(), StateError> {
        state::replace(&mut Self::new(), state)
    }

    /// Returns the state as JSON text. [`from_state_json`](Self::from_state_json) can read it back, unless an action has written
    /// a value that violates a constraint.
    ///
    /// # Errors
    /// Returns the same errors as [`state_value`](Self::state_value).
    fn state_json(&self) -> Result<String, StateError> {
        Ok(self.state_value()?.to_string())
    }

    /// Returns the state as a JSON value.
    ///
    /// # Errors
    /// Returns the path of each value that JSON cannot represent. `serde_json::to_value(agent.state())` would write NaN and
    /// infinity as `null`.
    fn state_value(&self) -> Result<Value, StateError> {
        state::to_value(self)
    }

    /// Returns the schema of the state, with this agent's defaults. Generated once per process.
    fn schema() -> &'static Schema {
        Self::__tables().schema.get_or_init(state::schema::<Self>)
    }

    /// Returns the specs of the listed skills, in list order.
    fn skills() -> &'static [SkillSpec] {
        Self::__tables().listed_skills()
    }

    /// Returns the same specs as [`skills`](Self::skills).
    fn skill_specs() -> &'static [SkillSpec] {
        Self::skills()
    }

    /// Returns the specs of all actions, including internal ones. The agent's own actions come first.
    fn actions() -> &'static [ActionSpec] {
        Self::__tables().actions
    }

    /// Returns each route with the name of its action, in list order. Patterns and names are the ones of the instance, with its
    /// alias.
    fn routes() -> Vec<(Route, &'static str)> {
        describe::routes::<Self>()
    }

    /// Returns the tools of the listed skills.
    fn tools() -> &'static [Tool<'static>] {
        Self::__tables().tools
    }

    /// Returns the agent's current tools: [`tools`](Self::tools), and the tools of its mounted skills.
    fn all_tools(&self) -> Vec<Tool<'static>> {
        describe::all_tools(self)
    }

    /// Returns the configuration that `agent!` declares for a skill.
    fn skill_config<S: SkillOf<Self>>() -> &'static S::Config {
        S::declared()
    }

    /// Returns a skill's configuration in this agent: the one set with the builder, or else the declared one.
    fn config<S: SkillOf<Self>>(&self) -> &S::Config {
        crate::agent::run::skill_of::config_of::<Self, S, 0>(self.__parts().1)
    }

    /// Returns read-only access to an instance that is listed under an alias. In contrast, `agent.calc()` can also run the
    /// instance's actions, so it needs `&mut`.
    ///
    /// ```
    /// use skill_core::{Agent, Skill, agent};
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// #[serde(default)]
    /// #[skill(name = "counter")]
    /// pub struct Counter {
    ///     count: u32,
    /// }
    ///
    /// agent! {
    ///     pub struct Door {
    ///         name: "door",
    ///         skills: [Counter as entries, Counter as exits],
    ///     }
    /// }
    ///
    /// fn entered(door: &Door) -> u32 {
    ///     door.instance(Door::entries).state().count
    /// }
    /// assert_eq!(entered(&Door::new()), 0);
    /// ```
    fn instance<S: SkillOf<Self, AT>, const AT: usize>(
        &self,
        accessor: fn(&mut Self) -> Instance<'_, Self, S, AT>,
    ) -> InstanceRef<'_, Self, S, AT> {
        let _ = accessor;
        InstanceRef::new(self)
    }

    /// Returns a skill's state.
    fn skill_state<S: SkillOf<Self>>(&self) -> &S {
        S::of(self.__parts().0)
    }

    /// Describes the agent as JSON: its spec, skills with configuration, actions with schemas, and the state's schema.
    fn describe() -> Value {
        describe::describe::<Self>()
    }
}
