// Two documents of a folder have the same id.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILLS: &[SkillDoc] = include_skills!("documents/one-id", dialect = TRIGGERED);

fn main() {
    println!("{}", SKILLS.len());
}
