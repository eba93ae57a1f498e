// A line of the frontmatter is indented by a tab.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/indented-by-a-tab/SKILL.md");

fn main() {
    println!("{}", SKILL.id);
}
