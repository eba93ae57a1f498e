//! A configuration that is `null`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Limit(Option<u32>);

/// Has an end, or none.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "limited", config = Limit, actions(Step))]
pub struct Limited {
    pub steps: u32,
}

/// Take a step.
#[action]
pub fn step(limited: &mut Limited) -> u32 {
    limited.steps += 1;
    limited.steps
}

agent! {
    pub struct Walker {
        name: "walker",
        mounted: [Limited],
    }
}
