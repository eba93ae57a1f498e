// The value of a switch is a word.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc =
    include_skill!("documents/text-for-a-switch/SKILL.md", dialect = TRIGGERED);

fn main() {
    println!("{}", SKILL.id);
}
