// The type of a toolset is misspelled.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "hello")]
struct HelloToolset {}

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "waves")]
struct WavesToolset {}

static SKILL: SkillDoc = include_skill!(
    "documents/greeting/SKILL.md",
    dialect = TRIGGERED,
    toolsets(HelloToolset, WavesToolset)
);

fn main() {
    println!("{}", SKILL.id);
}
