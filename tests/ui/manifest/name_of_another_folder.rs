// The name of a document is not the name of its folder.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/name-of-another-folder/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
