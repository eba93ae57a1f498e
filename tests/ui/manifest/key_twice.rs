// The frontmatter has a key twice.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/key-twice/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
