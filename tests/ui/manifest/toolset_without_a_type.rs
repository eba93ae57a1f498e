// A toolset does not name its type.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc =
    include_skill!("documents/toolset-of-no-type/SKILL.md", dialect = TRIGGERED);

fn main() {
    println!("{}", SKILL.id);
}
