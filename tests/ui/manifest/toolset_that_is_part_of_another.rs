// A toolset without a type, whose text is a part of another toolset and of the description.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "hello_loud")]
struct HelloLoud {}

static SKILL: SkillDoc = include_skill!(
    "documents/toolsets-that-are-alike/SKILL.md",
    dialect = TRIGGERED,
    toolsets(HelloLoud)
);

fn main() {
    println!("{}", SKILL.id);
}
