// The path of a folder is a pattern.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILLS: &[SkillDoc] = include_skills!("documents/*/*.md");

fn main() {
    println!("{}", SKILLS.len());
}
