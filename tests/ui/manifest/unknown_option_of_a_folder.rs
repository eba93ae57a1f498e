// An option of `include_skills!` does not exist.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILLS: &[SkillDoc] = include_skills!("documents/fine", recursive);

fn main() {
    println!("{}", SKILLS.len());
}
