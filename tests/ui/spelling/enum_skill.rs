// An enum cannot be a skill, since its JSON need not be an object.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// On or off.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "switch")]
enum Switch {
    #[default]
    Off,
    On,
}

fn main() {}
