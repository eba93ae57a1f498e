// A command is dispatched to a tool, and the tool is missing.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc =
    include_skill!("documents/dispatch-without-a-tool/SKILL.md", dialect = LILY);

fn main() {
    println!("{}", SKILL.id);
}
