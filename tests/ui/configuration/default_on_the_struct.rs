// `default` belongs on a field, not on the struct.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(config = CounterConfig);

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(default = 10)]
struct CounterConfig {
    limit: u32,
}

fn main() {}
