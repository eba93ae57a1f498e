// A boolean key has a string value.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc =
    include_skill!("documents/string-for-a-boolean/SKILL.md", dialect = TRIGGERED);

fn main() {
    println!("{}", SKILL.id);
}
