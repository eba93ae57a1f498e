// The frontmatter has a key that the open standard does not have.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/unknown-key/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
