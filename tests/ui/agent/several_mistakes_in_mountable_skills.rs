// Several mountable skills are listed wrongly.
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
        mounted: [Clock as ticker, Sundial { ticks: 3 }, &Clock],
    }
}

fn main() {}
