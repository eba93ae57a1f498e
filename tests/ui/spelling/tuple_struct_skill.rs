// A tuple struct cannot be a skill, since its JSON is not an object.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "counter")]
struct Counter(u32);

fn main() {}
