// A value of the agent's own configuration is out of range.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct KitchenConfig {
    #[schemars(range(min = 1, max = 2))]
    cooks: u8,
}

agent! {
    struct Kitchen {
        name: "kitchen",
        config: KitchenConfig { cooks: 3 },
    }
}

fn main() {}
