// A type is not a toolset of the document.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "hello")]
struct HelloToolset {}

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "wave")]
struct WaveToolset {}

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "clock")]
struct Clock {}

static SKILL: SkillDoc = include_skill!(
    "documents/greeting/SKILL.md",
    dialect = TRIGGERED,
    toolsets(HelloToolset, WaveToolset, Clock)
);

fn main() {
    println!("{}", SKILL.id);
}
