// The dialect is written in lower case.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/good/SKILL.md", dialect = lily);

fn main() {
    println!("{}", SKILL.id);
}
