// The path is a call of another macro.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!(concat!("documents/good", "/SKILL.md"));

fn main() {
    println!("{}", SKILL.id);
}
