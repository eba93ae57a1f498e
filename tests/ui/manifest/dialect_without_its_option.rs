// The dialect stands alone: the document is not read in another one.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/without_summary/SKILL.md", LILY);

fn main() {
    println!("{}", SKILL.id);
}
