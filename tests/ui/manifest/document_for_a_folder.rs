// `include_skills!` has the path of a document.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILLS: &[SkillDoc] = include_skills!("documents/good/SKILL.md");

fn main() {
    println!("{}", SKILLS.len());
}
