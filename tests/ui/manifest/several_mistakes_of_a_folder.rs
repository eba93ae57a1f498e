// The mistakes of all documents of a folder are reported together.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILLS: &[SkillDoc] = include_skills!("documents/several");

fn main() {
    println!("{}", SKILLS.len());
}
