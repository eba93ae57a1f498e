// The dialect is written with the path of the type.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!("documents/good/SKILL.md", dialect = Dialect::LILY);

fn main() {
    println!("{}", SKILL.id);
}
