// A command goes to a tool, and there is none.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc =
    include_skill!("documents/dispatch-without-a-tool/SKILL.md", dialect = LILY);

fn main() {
    println!("{}", SKILL.id);
}
