//! The description of an agent as JSON.

use crate::{ActionSpec, Agent, SkillSpec};
use serde_json::{Value, json};

pub(crate) fn describe<G: Agent>() -> Value {
    let tables = G::__tables();
    let env = crate::context::AgentEnv::default();
    let skills: Vec<Value> = tables.skills[1..]
        .iter()
        .zip(&G::__slots()[1..])
        .map(|(spec, slot)| {
            let mut value = skill(spec);
            let mut config = (slot.config)(&env);
            spec.mask_config(&[], &mut config);
            value["config"] = config;
            value
        })
        .collect();
    let own = &tables.skills[0];
    let mut config = (G::__slots()[0].config)(&env);
    own.mask_config(&[], &mut config);
    let mountable = G::__mountable().unwrap_or_default().iter();
    let mounted: Vec<Value> = mountable.map(|entry| skill(entry.spec())).collect();
    json!({
        "name": G::SPEC.name,
        "description": G::SPEC.description,
        "version": G::SPEC.version,
        "category": G::SPEC.category,
        "tags": G::SPEC.tags,
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
        "instructions": spec.instructions,
        "triggers": spec.triggers,
        "config_schema": spec.config_schema.map(|schema| schema()),
        "state_secrets": spec.state_secrets,
        "config_secrets": spec.config_secrets,
    })
}

fn action(spec: &ActionSpec) -> Value {
    json!({
        "name": spec.name,
        "title": spec.title,
        "description": spec.description,
        "type": spec.type_path,
        "internal": spec.internal,
        "effectful": spec.is_async,
        "hints": spec.hints,
        "routes": spec.routes,
        "input_schema": spec.input_schema(),
        "output_schema": spec.output_schema(),
    })
}
