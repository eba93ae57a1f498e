// A name contains a space.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc =
    include_skill!("documents/name-with-a-blank/SKILL.md", dialect = TRIGGERED);

fn main() {
    println!("{}", SKILL.id);
}
