// `defualt` is not an option of a field; `default` is.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(config = CounterConfig);

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct CounterConfig {
    #[skill(defualt = 10)]
    limit: u32,
}

fn main() {}
