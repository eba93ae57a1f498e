// The path is empty.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("");

fn main() {
    println!("{}", SKILL.id);
}
