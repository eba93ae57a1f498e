// `include_skill!` has the path of the folder of a document.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/good");

fn main() {
    println!("{}", SKILL.id);
}
