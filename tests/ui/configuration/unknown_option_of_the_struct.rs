// The options of a skill are not options of its configuration.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(config = CounterConfig);

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(version = "1.0.0")]
struct CounterConfig {
    #[skill(default = 10)]
    limit: u32,
}

fn main() {}
