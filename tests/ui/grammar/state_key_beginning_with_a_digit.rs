// A state key begins with a digit.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Second factor of a login.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "second-factor", state_key = "2fa")]
struct SecondFactor {
    attempts: u32,
}

fn main() {}
