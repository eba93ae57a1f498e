// The file of a document is spelled otherwise.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILLS: &[SkillDoc] = include_skills!("documents/misspelled");

fn main() {
    println!("{}", SKILLS.len());
}
