// `include_skills!` has the path of the folder of one document.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILLS: &[SkillDoc] = include_skills!("documents/good");

fn main() {
    println!("{}", SKILLS.len());
}
