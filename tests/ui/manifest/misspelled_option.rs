// An option is misspelled.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/good/SKILL.md", dialct = LILY);

fn main() {
    println!("{}", SKILL.id);
}
