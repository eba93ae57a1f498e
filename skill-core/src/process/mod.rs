//! Functions on agents for the process layer. They are not part of the public API and may change in any release.

pub use crate::action::{ErasedAction, Input, Kind, NotPerformed};

pub use crate::agent::{
    AppliedAction, AsyncRequest, DeclaredNames, InstanceTools, MetaRef, RefusedTool,
    ResolvedAction, Saved, SavedState, SlotAsyncActions, Transaction, action_id_of,
    check_condition, check_current, declared_names, kept_fields, kept_fields_of_mounted,
    leave_out_unknown, listed_tools, mounted_skills, perform, read_action, refused_tools,
    requirement_order, resolve, spec_of, take_config, tools_of, tools_of_mounted, turn_contexts,
};
pub use crate::async_action::{
    AsyncDone, AsyncEntry, AsyncFailure, AsyncFuture, AsyncInput, AsyncOutput,
};
pub use crate::bounds::StoredState;
pub use crate::command::error::{CallFailure, full_text};
pub use crate::composition::ActionId;
pub use crate::context::{ActionHost, CommandMeta, MountOp, QueuedEffects, QueuedMount};
pub use crate::directive::{AfterRestart, DirectiveFacts, DirectiveHandler, SignalOf};
pub use crate::hooks::TurnContext;
pub use crate::mounted::{OtherState, RestoredMounted, stored_name_and_state};
pub use crate::panics::{catch, message_of};
pub use crate::skill::values::{
    ValueFns, config_fns, default_config, read_entry, schema_problems, state_fns,
};
pub use crate::stored::{Comparison, Difference, NamedField, StoredValue};
pub use crate::text_part::{MAX_TEXT, NoPart, part_at};
pub use crate::tokens;

mod json;
mod skill_tool;
mod stored;

pub use json::{
    arguments, arguments_hash, check_arguments, from_arguments, hide_secrets, read_arguments,
    read_typed, readable, type_schema,
};
pub use skill_tool::{SKILL_NAME, SKILL_TOOL, add_skills, skill_line, skill_name_line, skill_tool};
pub use stored::{from_stored, migrate, mounted_from_stored, read_back, state_hash, with_stored};

use crate::agent::{MOUNTED_KEY, key_of};
use crate::{
    ActionSpec, Agent, CallError, ChildSpec, Directive, Instruction, Mountable, Mounted, Problem,
    Route, SkillOf, SkillSpec, StateError, routing,
};
use serde_json::Value;
use skill_agent_grammar::fnv1a;
pub use skill_agent_grammar::is_tool_name;

/// Whether the keys of JSON objects keep their order. Cargo decides this for all crates in a build.
pub const ORDERED_JSON: bool = cfg!(feature = "ordered-json");

/// Returns the specs of an agent's skills. The agent itself comes first.
pub fn skills<G: Agent>() -> &'static [SkillSpec] {
    G::__tables().skills
}

/// Returns a skill's state key; empty for the agent itself.
pub fn key<G: Agent>(skill: usize) -> &'static str {
    G::__slots()[skill].key()
}

/// Returns the spec of the skill with the state key `key`.
pub fn skill_at<G: Agent>(key: &str) -> Option<&'static SkillSpec> {
    let index = G::__slots().iter().position(|slot| slot.key() == key)?;
    skills::<G>().get(index)
}

/// Returns whether the action called `name` is async.
pub fn is_async<G: Agent>(name: &str) -> bool {
    let tables = G::__tables();
    tables.find(name).is_some_and(|(_, spec)| spec.is_async)
}

/// Returns the spec of the listed skill that has the action, or `None` if the agent itself has it.
pub fn skill_of<G: Agent>(action: &str) -> Option<&'static SkillSpec> {
    let tables = G::__tables();
    let (index, _) = tables.find(action)?;
    let skill = tables.action_ids[index].skill as usize;
    (skill > 0).then(|| &tables.skills[skill])
}

/// Returns the routes of an enabled mounted skill's action.
pub fn mounted_routes<G: Agent>(agent: &G, skill: &str, action: &str) -> &'static [Route] {
    let mounted = G::__mounted(agent.__parts().0);
    let actions = mounted.and_then(|mounted| mounted.actions_of(skill));
    let mut actions = actions.unwrap_or_default().iter();
    actions
        .find(|spec| spec.name == action)
        .map_or(&[], |spec| spec.routes)
}

/// Returns the name of the first disabled skill that would take part in signals of a type if it were enabled.
pub fn disabled_for<G: Agent>(agent: &G, ty: &str) -> Option<&'static str> {
    let mounted = G::__mounted(agent.__parts().0)?;
    mounted.disabled_for(ty).map(|spec| spec.name)
}

/// Describes the first mistake in a signal type and its position. Returns `None` if the type is valid.
pub fn mistake_in_signal_type(ty: &str) -> Option<String> {
    routing::mistake_in_signal_type(ty)
}

/// Returns the registrations of the mounted skills.
pub fn registrations<G: Agent>(agent: &G) -> Vec<Directive> {
    let mounted = G::__mounted(agent.__parts().0);
    mounted.map(Mounted::registrations).unwrap_or_default()
}

/// Converts an action's output from JSON text to a value.
///
/// # Errors
/// Fails if a JSON value cannot represent all of the text.
pub fn as_value(action: &'static str, text: &str) -> Result<Value, CallError> {
    skill_agent_schema::as_value(text).map_err(|source| CallError::Output { action, source })
}

/// Returns the error for a call by name to an internal action.
pub fn internal(spec: &ActionSpec) -> CallError {
    CallError::Internal { action: spec.name }
}

/// The state key for all mounted skills, which are stored as one state.
pub const MOUNTED: &str = MOUNTED_KEY;

/// Returns whether the agent can mount skills.
pub fn mounts<G: Agent>() -> bool {
    G::__mountable().is_some()
}

/// Returns a skill's configuration as JSON.
pub fn config<G: Agent>(agent: &G, skill: usize) -> Value {
    G::__slots()[skill].config(agent.__parts().1)
}

/// Returns whether a skill is offered signals of a type.
pub fn wants<G: Agent>(skill: usize, ty: &str) -> bool {
    skills::<G>()[skill].wants(ty)
}

/// Returns whether a skill has hooks.
pub fn has_hooks<G: Agent>(skill: usize) -> bool {
    G::__slots()[skill].skill.hooks.is_some()
}

/// Returns whether any skill has hooks.
pub fn any_has_hooks<G: Agent>() -> bool {
    G::__slots().iter().any(|slot| slot.skill.hooks.is_some())
}

/// Returns the routes from a skill's `Hooks::routes` with its configuration.
pub fn hook_routes<G: Agent>(agent: &G, skill: usize) -> Vec<(Route, Instruction)> {
    G::__slots()[skill].routes(agent.__parts().1)
}

/// Returns the children from a skill's `Hooks::child_specs` with its configuration.
pub fn child_specs<G: Agent>(agent: &G, skill: usize) -> Vec<ChildSpec> {
    G::__slots()[skill].child_specs(agent.__parts().1)
}

/// Restores the saved states.
pub fn undo<G: Agent>(agent: &mut G, saved: Saved<G>) {
    for saved in saved {
        saved.put_back(agent.__parts_mut().0);
    }
}

/// Returns the state key of the instance at `AT`; empty for the agent's own base.
pub fn instance_key<G: Agent, S: SkillOf<G, AT>, const AT: usize>() -> &'static str {
    key_of::<G, S, AT>()
}

/// Returns a hash of the schema of a skill's state. Ignores annotations and the order of fields.
pub fn schema_fingerprint<G: Agent>(skill: usize) -> u64 {
    skill_agent_schema::fingerprint(G::__slots()[skill].skill.state.schema)
}

/// Returns the spec of a skill that the agent may mount.
pub fn mountable<G: Agent>(name: &str) -> Option<&'static SkillSpec> {
    let mut specs = G::__mountable()?.iter().map(Mountable::spec);
    specs.find(|spec| spec.name == name)
}

/// Masks the secrets in an agent's state with [`MASK`](crate::spec::MASK). `keys` lead from the state to `value`.
pub fn mask_state<G: Agent>(keys: &[&str], value: &mut Value) {
    crate::agent::mask::<G>(keys, value);
}

/// Checks the constraints of an agent's configurations.
///
/// # Errors
/// Returns every value that violates a constraint of its schema.
pub fn check_config<G: Agent>(agent: &G) -> Result<(), StateError> {
    crate::agent::check_config::<G>(agent.__parts().1)
}

/// Finds the values in an agent's state that violate a schema constraint, with their paths. Unless `quotes` is set, the problems
/// do not quote the values.
pub fn violations<G: Agent>(agent: &G, quotes: bool) -> Vec<Problem> {
    crate::agent::violations(agent, quotes)
}

/// Returns the paths of stored entries that may have been renamed: the schema does not know the entry, and a schema field next to
/// it is missing in the state. Secrets are left out.
pub fn unknown_entries(
    spec: &SkillSpec,
    state: &Value,
    named: NamedField<'_>,
) -> Vec<Vec<StoredValue>> {
    let Some(schema) = spec.state_schema else {
        return Vec::new();
    };
    crate::stored::unknown_entries(state, schema(), named, spec.state_secrets)
}

/// Returns a hash of an agent's name, version and skills. Builds with different skills have different hashes.
pub fn build<G: Agent>() -> String {
    let mut text = format!("{:?}", (G::SPEC.name, G::SPEC.version));
    for (index, spec) in skills::<G>().iter().enumerate() {
        let shape = schema_fingerprint::<G>(index);
        let identity = (spec.name, key::<G>(index), spec.type_path, spec.version);
        text += &format!("{:?}", (identity, shape));
    }
    for mountable in G::__mountable().unwrap_or_default() {
        let spec = mountable.spec();
        text += &format!("{:?}", (spec.name, spec.type_path, spec.version));
    }
    format!("{:016x}", fnv1a(&text))
}
