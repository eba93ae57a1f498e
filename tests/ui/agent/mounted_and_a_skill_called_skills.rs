// A skill has the field `skills`, the key of the mounted skills.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::clock!();

/// Counts ticks.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "talents")]
struct Skills {}

agent! {
    struct Watch {
        name: "watch",
        skills: [Skills],
        mounted: [Clock],
    }
}

fn main() {}
