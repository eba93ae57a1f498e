// The derive writes `Default` even if no field has an option.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(config = CounterConfig);

#[derive(SkillConfig, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct CounterConfig {
    limit: u32,
}

fn main() {}
