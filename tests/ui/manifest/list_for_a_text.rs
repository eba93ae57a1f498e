// The description is a list.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/list-for-a-text/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
