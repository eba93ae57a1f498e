// The frontmatter has an anchor.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/anchor-in-the-frontmatter/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
