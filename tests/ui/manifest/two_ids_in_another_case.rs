// The ids of two documents differ only in case.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILLS: &[SkillDoc] = include_skills!("documents/one-id-but-for-case", dialect = TRIGGERED);

fn main() {
    println!("{}", SKILLS.len());
}
