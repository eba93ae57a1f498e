// The invocation mode of a document does not exist.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!(
    "documents/mode-that-does-not-exist/SKILL.md",
    dialect = LILY
);

fn main() {
    println!("{}", SKILL.id);
}
