// A document has no name.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/without-name/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
