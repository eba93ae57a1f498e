// The version of a requirement is not a version.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!(
    "documents/invalid-requirement/SKILL.md",
    dialect = AGENT_SKILLS_LENIENT
);

fn main() {
    println!("{}", SKILL.id);
}
