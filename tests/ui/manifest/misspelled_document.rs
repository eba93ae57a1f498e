// The file of a document is misspelled.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILLS: &[SkillDoc] = include_skills!("documents/misspelled");

fn main() {
    println!("{}", SKILLS.len());
}
