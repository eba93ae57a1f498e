// The path is written after the options.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!(dialect = LILY, "documents/good/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
