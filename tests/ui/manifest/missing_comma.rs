// The comma after the path is missing.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/good/SKILL.md" dialect = LILY);

fn main() {
    println!("{}", SKILL.id);
}
