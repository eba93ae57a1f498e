// `include_skill!` has the path of a folder of documents.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents");

fn main() {
    println!("{}", SKILL.id);
}
