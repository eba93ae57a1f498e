// The frontmatter is not closed.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/no-close/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
