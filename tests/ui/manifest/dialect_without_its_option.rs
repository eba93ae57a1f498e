// The name of a dialect is written without `dialect =`.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/without_summary/SKILL.md", LILY);

fn main() {
    println!("{}", SKILL.id);
}
