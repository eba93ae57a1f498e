// A field without an option, and its type has no default.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(config = CounterConfig);

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct CounterConfig {
    limit: Limit,
    #[skill(default = 10)]
    step: u32,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Limit(u32);

fn main() {}
