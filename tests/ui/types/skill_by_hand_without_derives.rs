// A skill written by hand derives nothing.
use skill_core::{NoConfig, Skill, SkillSpec};

struct Notes {
    lines: Vec<String>,
}

impl Skill for Notes {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("notes");
}

fn main() {}
