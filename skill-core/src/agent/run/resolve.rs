//! Resolves action names to positions. Listed skills come before mounted ones.

use crate::action::{ErasedAction, Input, REPLACED};
use crate::agent::run::skill_of::key_of;
use crate::composition::ActionId;
use crate::{Action, ActionSpec, Agent, CallError, CallFailure, Skill, SkillOf, Tool};
use serde_json::{Map, Value};
use skill_agent_schema::{self as json, Problem, ReadError, SchemaNode};
use std::any::TypeId;

pub(crate) const IS_MOUNTED: &str =
    "an action id of a mounted skill comes from the mounted skills of this agent";

/// One of an agent's actions, found by name.
#[derive(Clone, Copy, Debug)]
pub struct ResolvedAction {
    /// The position among the listed skills, or among the mounted ones if [`is_mounted`](Self::is_mounted).
    pub id: ActionId,
    /// The action's spec, under its name in the agent.
    pub spec: &'static ActionSpec,
    /// Whether the action's skill was mounted at run time.
    pub is_mounted: bool,
    /// The type of the mounted skill.
    skill_type: Option<TypeId>,
}

impl ResolvedAction {
    /// Returns an action of a listed skill.
    #[inline]
    pub(crate) fn listed(id: ActionId, spec: &'static ActionSpec) -> Self {
        Self {
            id,
            spec,
            is_mounted: false,
            skill_type: None,
        }
    }

    /// Returns whether a server runs the action in its own task. Skills with async actions are never mounted.
    pub fn is_async(&self) -> bool {
        self.spec.is_async && !self.is_mounted
    }
}

/// Finds the action called `name` among the listed and the mounted skills.
///
/// # Errors
/// Fails if no skill has such an action.
pub fn resolve<G: Agent>(agent: &G, name: &str) -> Result<ResolvedAction, CallError> {
    let tables = G::__tables();
    if let Some((index, spec)) = tables.find(name) {
        return Ok(ResolvedAction::listed(tables.action_ids[index], spec));
    }
    let mounted = G::__mounted(agent.__parts().0);
    let found = mounted.and_then(|mounted| Some((mounted, mounted.action_id(name)?)));
    match found {
        Some((mounted, id)) => Ok(ResolvedAction {
            id,
            spec: mounted.action_spec(id),
            is_mounted: true,
            skill_type: Some(mounted.skill_type(id)),
        }),
        None => Err(unknown(agent, name)),
    }
}

/// Checks that the action's name still refers to the same action. A mounted skill may have been replaced since.
///
/// # Errors
/// Fails if the name refers to a different action or to no action.
pub fn check_current<G: Agent>(agent: &G, action: ResolvedAction) -> Result<(), CallError> {
    let name = action.spec.name;
    let found = resolve(agent, name)?;
    if (found.id, found.skill_type) == (action.id, action.skill_type) {
        return Ok(());
    }
    let problem = Problem::new("", REPLACED);
    Err(CallFailure::Arguments(ReadError::Data(problem)).with_action(name))
}

/// Reads an action's arguments and fills in their defaults.
///
/// # Errors
/// Fails if the arguments are invalid.
pub fn read_action<G: Agent>(
    agent: &G,
    action: ResolvedAction,
    input: Input<'_>,
) -> Result<ErasedAction, CallError> {
    let ResolvedAction { id, spec, .. } = action;
    if action.is_mounted {
        let mounted = G::__mounted(agent.__parts().0);
        return mounted.expect(IS_MOUNTED).read(id, input);
    }
    let read = (G::__slots()[id.skill as usize].skill.read)(id.action as usize, input);
    read.map_err(|error| CallFailure::from(error).with_action(spec.name))
}

/// Removes the fields of a signal's data that the action's arguments would refuse as unknown. The names that a hand-written action
/// reads besides those in its schema are not known, so they are removed too.
pub fn leave_out_unknown(action: ResolvedAction, data: &mut Map<String, Value>) {
    let schema = SchemaNode::root(action.spec.input_schema());
    // schemars writes the second one for flattened fields
    let keywords = ["additionalProperties", "unevaluatedProperties"];
    let refuses = |keyword| schema.keyword(keyword) == Some(&Value::Bool(false));
    let refuses_unknown = keywords.into_iter().any(refuses);
    if refuses_unknown {
        let aliases = action.spec.aliases;
        data.retain(|name, _| schema.property(name).is_some() || aliases.contains(&name.as_str()));
    }
}

/// An action's names as declared, before an instance's alias changes them.
#[derive(Clone, Copy, Debug)]
pub struct DeclaredNames {
    /// The skill's declared name.
    pub skill: &'static str,
    /// The action's name in the skill.
    pub action: &'static str,
    /// The instance's state key; empty for the agent's own actions.
    pub state_key: &'static str,
}

/// Returns an action's declared names.
pub fn declared_names<G: Agent>(agent: &G, action: ResolvedAction) -> DeclaredNames {
    let mounted = G::__mounted(agent.__parts().0).filter(|_| action.is_mounted);
    let index = action.id.skill as usize;
    let (skill, state_key) = match mounted {
        Some(mounted) => {
            let skill = mounted.skill_spec(action.id);
            (skill, skill.state_key)
        }
        None => (&G::__tables().skills[index], G::__slots()[index].key()),
    };
    DeclaredNames {
        skill: skill.alias_of.unwrap_or(skill.name),
        action: skill.actions[action.id.action as usize].name,
        state_key,
    }
}

/// Returns the position of a typed action of an instance, or `None` if its skill does not list it.
pub fn action_id_of<G: Agent, A: Action<Skill: SkillOf<G, AT>>, const AT: usize>()
-> Option<ActionId> {
    let key = key_of::<G, A::Skill, AT>();
    let skill = G::__slots().iter().position(|slot| slot.key() == key)?;
    let actions = <A::Skill as Skill>::SPEC.actions;
    let action = actions.iter().position(|action| action.name == A::NAME)?;
    Some(ActionId::new(skill, action))
}

/// Returns the spec of a typed action of an instance, under its name in the agent.
pub fn spec_of<G, A, const AT: usize>() -> &'static ActionSpec
where
    G: Agent,
    A: Action<Skill: SkillOf<G, AT>>,
{
    let tables = G::__tables();
    let id = action_id_of::<G, A, AT>();
    let mut ids = tables.action_ids.iter();
    let index = ids.position(|other| Some(*other) == id);
    // an action that its skill does not list has no other name in the agent
    index.map_or(const { &A::SPEC }, |index| &tables.actions[index])
}

/// Returns an instance's tools, under their names in the agent.
pub fn tools_of<G: Agent, S: SkillOf<G, AT>, const AT: usize>() -> Vec<Tool<'static>> {
    let (tables, key) = (G::__tables(), key_of::<G, S, AT>());
    let is_of_instance = |tool: &&Tool<'_>| {
        tables.find(tool.name).is_some_and(|(index, _)| {
            let skill = tables.action_ids[index].skill as usize;
            G::__slots()[skill].key() == key
        })
    };
    tables
        .tools
        .iter()
        .filter(is_of_instance)
        .copied()
        .collect()
}

/// Returns the indices of the listed skills, each after the skills it requires. The agent itself comes first.
pub fn requirement_order<G: Agent>() -> Vec<usize> {
    G::__tables().requirement_order()
}

#[cold]
pub(crate) fn unknown<G: Agent>(agent: &G, name: &str) -> CallError {
    let mounted = G::__mounted(agent.__parts().0);
    if let Some(disabled) = mounted.and_then(|mounted| mounted.disabled(name)) {
        return disabled;
    }
    let tools = agent.all_tools();
    let offered = tools.iter().map(|tool| tool.name);
    CallError::UnknownAction {
        agent: G::SPEC.name,
        action: json::shorten_name(name).into_owned(),
        suggestion: skill_agent_grammar::nearest_within(name, offered),
        unmounted: mounted.and_then(|mounted| mounted.unmounted_with(name)),
    }
}
