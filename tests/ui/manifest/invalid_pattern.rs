// The pattern of a trigger is not a regular expression.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!(
    "documents/invalid-pattern/SKILL.md",
    dialect = TRIGGERED
);

fn main() {
    println!("{}", SKILL.id);
}
