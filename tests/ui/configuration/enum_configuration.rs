// A configuration is a struct, not an enum.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(config = CounterConfig);

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
enum CounterConfig {
    Limited(u32),
    Free,
}

fn main() {}
