// A configuration is not generic.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
struct CounterConfig<T> {
    limit: T,
}

fn main() {
    let _: CounterConfig<u32> = Default::default();
}
