// A value without quotes contains a colon.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/colon-in-a-value/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
