// Actions and arguments can have the names of variables in generated code.
#![allow(clippy::too_many_arguments)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "names",
    actions(Skill_, Cx, Config, State, Map, Value, Agent_, Everything, Match)
)]
pub struct Names {
    config: u8,
    skill: u8,
}

/// Is called like the parameter of a generated function.
#[action(type = Skill_)]
pub fn skill(names: &mut Names) -> u8 {
    names.skill += 1;
    names.skill
}

/// So is this.
#[action]
pub fn cx(names: &mut Names, cx: &mut Context<Names>) -> u8 {
    cx.emit(Signal::new("names.used", serde_json::Value::Null));
    names.config
}

/// And this.
#[action]
pub fn config(names: &Names) -> u8 {
    names.config
}

/// And this.
#[action]
pub fn state(state: &Names) -> u8 {
    state.config
}

/// And this.
#[action]
pub fn map(map: &Names, slots: u8) -> u8 {
    map.config + slots
}

/// And this.
#[action]
pub fn value(value: &Names) -> u8 {
    value.config
}

/// And this.
#[action(type = Agent_)]
pub fn agent(agent: &Names, env: u8) -> u8 {
    agent.config + env
}

/// Arguments too.
#[action]
pub fn everything(
    names: &Names,
    skill: u8,
    cx: u8,
    map: u8,
    index: u8,
    slots: u8,
    out: u8,
    #[arg(range(0..=9))] value: u8,
    #[arg(default = 3)] serializer: u8,
    deserializer: u8,
    generator: u8,
    schema: u8,
    action: u8,
    result: Result<u8, u8>,
) -> u8 {
    let _ = (
        names,
        skill,
        cx,
        map,
        index,
        slots,
        out,
        deserializer,
        generator,
        schema,
        action,
        result,
    );
    value + serializer
}

/// Is called by a keyword.
#[action]
pub fn r#match(names: &Names, r#type: u8) -> u8 {
    names.config + r#type
}

agent! {
    pub struct Everybody { name: "everybody", skills: [Names] }
}

pub(crate) fn main() {
    let mut agent = Everybody::new();
    assert_eq!(agent.cmd(Skill_ {}).unwrap().output, 1);
    assert_eq!(agent.call_json("skill", "{}").unwrap().output, "2");
    assert_eq!(agent.call_json("cx", "{}").unwrap().directives.len(), 1);
    assert_eq!(agent.call_json("match", r#"{"type":2}"#).unwrap().output, "2");
    assert_eq!(agent.cmd(Match { r#type: 3 }).unwrap().output, 3);
}
