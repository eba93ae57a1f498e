// A document has toolsets, and the option `toolsets` is missing.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/greeting/SKILL.md", dialect = TRIGGERED);

fn main() {
    println!("{}", SKILL.id);
}
