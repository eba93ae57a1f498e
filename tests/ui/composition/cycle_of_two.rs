// Two skills require each other.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Lays eggs.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "hen", requires("egg"))]
struct Hen {
    laid: u32,
}

/// Becomes a hen.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "egg", requires("hen"))]
struct Egg {
    days: u32,
}

agent! {
    struct Farmer {
        name: "farmer",
        skills: [Hen, Egg],
    }
}

fn main() {}
