// A mountable skill requires one that the agent neither has nor may mount.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::clock!();

/// Counts ticks.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sundial", requires("sun"))]
struct Sundial {}

agent! {
    struct Watch {
        name: "watch",
        skills: [Clock],
        mounted: [Sundial],
    }
}

fn main() {}
