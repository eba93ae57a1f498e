// A document is in Latin-1.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/not-utf8/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
