// A value continues after its closing quote.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/quotes-in-a-value/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
