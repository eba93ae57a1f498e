// `always` belongs on the field of the skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(config = CounterConfig);

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct CounterConfig {
    #[skill(always)]
    limit: u32,
}

fn main() {}
