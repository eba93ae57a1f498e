// A skill without configuration is listed with fields of its state.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts the kilometers.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "odometer")]
struct Odometer {
    total: u32,
    trip: u32,
}

agent! {
    struct Car {
        name: "car",
        skills: [Odometer { total: 10, trip: 2 }],
    }
}

fn main() {}
