// Several mistakes in one configuration are reported together.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(config = CounterConfig);

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(title = "Counter")]
struct CounterConfig {
    #[skill(defualt = 10)]
    limit: u32,
    #[skill(from_config)]
    step: u32,
    #[skill(default = 1, default = 2)]
    least: u32,
}

fn main() {}
