// A configuration owns its values.
use skill_agent::prelude::*;

#[derive(SkillConfig)]
struct CounterConfig<'a> {
    label: &'a str,
}

fn main() {}
