// A document has no description.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/without-description/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
