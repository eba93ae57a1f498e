// The path of a toolset leads out of the folder of the document.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!(
    "documents/toolset-outside-of-the-folder/SKILL.md",
    dialect = TRIGGERED
);

fn main() {
    println!("{}", SKILL.id);
}
