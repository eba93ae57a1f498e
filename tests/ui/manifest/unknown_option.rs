// An option does not exist.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/good/SKILL.md", language = LILY);

fn main() {
    println!("{}", SKILL.id);
}
