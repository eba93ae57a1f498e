// Two mountable skills require each other.
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
#[skill(name = "egg", requires("barn", "hen"))]
struct Egg {
    days: u32,
}

/// Keeps the rain out.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "barn")]
struct Barn {}

agent! {
    struct Farmer {
        name: "farmer",
        mounted: [Barn, Hen, Egg],
    }
}

fn main() {}
