// The name of a skill begins with a digit.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Second factor of a login.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "2fa")]
struct SecondFactor {
    attempts: u32,
}

fn main() {}
