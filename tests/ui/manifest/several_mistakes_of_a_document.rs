// Several mistakes of one document are reported together.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/several-mistakes/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
