// A mountable skill has the name of an instance.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::clock!();

/// Counts ticks.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sundial")]
struct Sundial {}

agent! {
    struct Watch {
        name: "watch",
        skills: [Clock as sundial],
        mounted: [Sundial],
    }
}

fn main() {}
