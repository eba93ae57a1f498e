// A configuration has no name; its skill has one.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(config = CounterConfig);

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter")]
struct CounterConfig {
    #[skill(default = 10)]
    limit: u32,
}

fn main() {}
