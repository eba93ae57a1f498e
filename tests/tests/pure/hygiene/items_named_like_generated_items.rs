// Constants, functions and types of the user keep their meaning in options.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

const SKILLS: u32 = 1;
const BASE: u32 = 2;
const ENTRIES: u32 = 3;
const SPECS: u32 = 4;
const ROUTES: u32 = 5;
const TABLE: u32 = 6;
const ACTIONS: u32 = 7;
const PATTERN_0: u32 = 8;

fn fresh() -> u32 {
    10
}

fn default_0() -> u32 {
    11
}

fn config() -> u32 {
    12
}

fn env() -> u32 {
    13
}

/// A type with the name of a generated type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wire(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slot(pub u32);

#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "names", config = Settings, actions(Give, Send))]
pub struct Names {
    #[skill(default = ENTRIES + SPECS)]
    sum: u32,
    #[skill(default = config())]
    twelve: u32,
    #[skill(from_config)]
    size: u32,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    size: u32,
    wide: u32,
}

/// Give what is there.
#[action]
pub fn give(
    names: &Names,
    #[arg(default = ROUTES)] routes: u32,
    #[arg(default = default_0(), range(..=PATTERN_0 + 100))] eleven: u32,
    #[arg(default = fresh())] ten: u32,
    #[arg(default = Slot(BASE))] slot: Slot,
) -> u32 {
    names.sum + routes + eleven + ten + slot.0
}

/// Send something.
#[action]
pub fn send(
    names: &Names,
    #[serde(alias = "w")]
    #[arg(default = Wire(TABLE))]
    wire: Wire,
) -> u32 {
    names.sum + wire.0
}

agent! {
    pub struct Everybody {
        name: "everybody",
        state: { one: u32 = SKILLS, ten: u32 = fresh(), thirteen: u32 = env() },
        skills: [Names { size: config() + ACTIONS, wide: BASE }],
    }
}

pub(crate) fn main() {
    let mut agent = Everybody::new();
    let state = agent.state();
    assert_eq!((state.one, state.ten, state.thirteen), (1, 10, 13));
    assert_eq!(
        (state.names.sum, state.names.twelve, state.names.size),
        (7, 12, 19)
    );
    assert_eq!(agent.call_json("give", "{}").unwrap().output, "35");
    assert_eq!(agent.call_json("send", "{}").unwrap().output, "13");
    assert_eq!(agent.call_json("send", r#"{"w":1}"#).unwrap().output, "8");
}
