// A command contains a space.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/command-with-a-blank/SKILL.md", dialect = LILY);

fn main() {
    println!("{}", SKILL.id);
}
