// One toolset of a document has no type.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "hello")]
struct HelloToolset {}

static SKILL: SkillDoc = include_skill!(
    "documents/greeting/SKILL.md",
    dialect = TRIGGERED,
    toolsets(HelloToolset)
);

fn main() {
    println!("{}", SKILL.id);
}
