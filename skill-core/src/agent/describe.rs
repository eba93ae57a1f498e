//! Describes an agent as JSON, and lists its routes and tools.

use crate::composition::{rendered, requires};
use crate::{ActionSpec, Agent, Mountable, Mounted, Route, SkillSpec, Tool};
use schemars::Schema;
use serde_json::{Value, json};
use skill_agent_schema as json;

/// Implements `Agent::describe`.
pub(crate) fn describe<G: Agent>() -> Value {
    let tables = G::__tables();
    let env = crate::context::AgentEnv::default();
    let skills: Vec<Value> = tables.skills[1..]
        .iter()
        .zip(&G::__slots()[1..])
        .map(|(spec, slot)| {
            let mut value = skill(spec);
            let mut config = slot.config(&env);
            spec.mask_config(&[], &mut config);
            value["config"] = config;
            value
        })
        .collect();
    let own = &tables.skills[0];
    let mut config = G::__slots()[0].config(&env);
    own.mask_config(&[], &mut config);
    let mountable = G::__mountable().unwrap_or_default().iter();
    let mounted: Vec<Value> = mountable.map(|entry| mountable_skill::<G>(entry)).collect();
    json!({
        "name": G::SPEC.name,
        "description": G::SPEC.description,
        "version": G::SPEC.version,
        "category": G::SPEC.category,
        "tags": G::SPEC.tags,
        "forbid": G::SPEC.forbid,
        "allow_data_flow": G::SPEC.allow_data_flow,
        "schedules": G::SPEC.schedules,
        "type": G::SPEC.type_path,
        "config": config,
        "config_secrets": own.config_secrets,
        "skills": skills,
        "mounted": mounted,
        "actions": tables.actions.iter().map(action).collect::<Vec<_>>(),
        "state_schema": G::schema(),
        "state_secrets": super::state::secrets::<G>(),
    })
}

/// Implements `Agent::routes`.
pub(crate) fn routes<G: Agent>() -> Vec<(Route, &'static str)> {
    let tables = G::__tables();
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

/// Implements `Agent::all_tools`.
pub(crate) fn all_tools<G: Agent>(agent: &G) -> Vec<Tool<'static>> {
    let mounted = G::__mounted(agent.__parts().0).map(Mounted::tools);
    [G::tools(), mounted.as_deref().unwrap_or_default()].concat()
}

fn skill(spec: &SkillSpec) -> Value {
    json!({
        "name": spec.name,
        "alias_of": spec.alias_of,
        "title": spec.title,
        "description": spec.description,
        "version": spec.version,
        "category": spec.category,
        "tags": spec.tags,
        "type": spec.type_path,
        "state_key": spec.state_key,
        "signals": spec.signals,
        "requires": spec.requires,
        "deferred": spec.deferred,
        "instructions": spec.instructions,
        "triggers": spec.triggers,
        "config_schema": config_schema(spec),
        "state_secrets": spec.state_secrets,
        "config_secrets": spec.config_secrets,
    })
}

/// Describes a skill that can be mounted. Its instructions use the tool names it would have if all of the agent's skills were
/// mounted.
fn mountable_skill<G: Agent>(entry: &Mountable) -> Value {
    let tables = G::__tables();
    let spec = entry.spec();
    let mountable = tables.mountable.iter().copied();
    let others = tables.listed_skills().iter().chain(mountable);
    let others: Vec<SkillSpec> = others
        .filter(|other| requires(spec, other))
        .copied()
        .collect();
    let mut value = skill(spec);
    if let Ok(instructions) = rendered(spec, &others) {
        value["instructions"] = instructions.into();
    }
    value
}

/// Returns the schema of the configuration, without the defaults of secrets. The schema function of a hand-written spec may
/// include such defaults.
fn config_schema(spec: &SkillSpec) -> Option<Value> {
    let schema = spec.config_schema?().clone();
    let Ok(mut schema) = Schema::try_from(schema) else {
        return None;
    };
    json::without_secrets(&mut schema, spec.config_secrets);
    Some(schema.into())
}

fn action(spec: &ActionSpec) -> Value {
    json!({
        "name": spec.name,
        "title": spec.title,
        "description": spec.description,
        "type": spec.type_path,
        "internal": spec.internal,
        "effectful": spec.is_async,
        "conditional": spec.conditional,
        "hints": spec.hints,
        "routes": spec.routes,
        "input_schema": spec.input_schema(),
        "output_schema": spec.output_schema(),
    })
}
