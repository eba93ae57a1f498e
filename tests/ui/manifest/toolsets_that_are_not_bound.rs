// A document names toolsets, and nothing is said of them.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/greeting/SKILL.md", dialect = TRIGGERED);

fn main() {
    println!("{}", SKILL.id);
}
