// The frontmatter begins with four dashes.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/four-dashes/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
