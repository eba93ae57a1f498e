// The path is not in quotes.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!(documents / good / SKILL.md);

fn main() {
    println!("{}", SKILL.id);
}
