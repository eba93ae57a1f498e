// The document does not exist.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/god/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
