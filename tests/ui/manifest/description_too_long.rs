// A description is longer than the dialect allows.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!(
    "documents/description-too-long/SKILL.md",
    dialect = TRIGGERED
);

fn main() {
    println!("{}", SKILL.id);
}
