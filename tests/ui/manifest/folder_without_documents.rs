// The folder contains no folder with a document.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILLS: &[SkillDoc] = include_skills!("documents/without-documents");

fn main() {
    println!("{}", SKILLS.len());
}
