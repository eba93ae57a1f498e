// `range` is not an option of a field; it is an attribute of schemars.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(config = CounterConfig);

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct CounterConfig {
    #[skill(range(1..=5))]
    limit: u32,
}

fn main() {}
