// A default whose type is not the type of the field.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(config = CounterConfig);

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct CounterConfig {
    #[skill(default = "10")]
    limit: u32,
}

fn main() {}
