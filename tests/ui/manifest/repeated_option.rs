// An option is given twice.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!(
    "documents/good/SKILL.md",
    dialect = TRIGGERED,
    dialect = TRIGGERED
);

fn main() {
    println!("{}", SKILL.id);
}
