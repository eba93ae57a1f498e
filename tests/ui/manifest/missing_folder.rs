// The folder does not exist.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILLS: &[SkillDoc] = include_skills!("documents/nowhere");

fn main() {
    println!("{}", SKILLS.len());
}
