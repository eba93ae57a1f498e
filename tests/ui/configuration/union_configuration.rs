// A configuration is a struct, not a union.
use skill_agent::prelude::*;

#[derive(SkillConfig)]
union CounterConfig {
    limit: u32,
    step: f32,
}

fn main() {}
