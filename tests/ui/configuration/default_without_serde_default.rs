// Fields have defaults that partial JSON does not take.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(config = CounterConfig);

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
struct CounterConfig {
    #[skill(default = 10)]
    limit: u32,
}

fn main() {}
