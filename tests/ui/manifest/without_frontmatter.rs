// A document has no frontmatter.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/without-frontmatter/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
