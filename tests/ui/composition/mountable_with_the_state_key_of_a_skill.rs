// A mountable skill has the state key of a listed skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::clock!();

/// Counts ticks.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sundial", state_key = "clock")]
struct Sundial {}

agent! {
    struct Watch {
        name: "watch",
        skills: [Clock],
        mounted: [Sundial],
    }
}

fn main() {}
