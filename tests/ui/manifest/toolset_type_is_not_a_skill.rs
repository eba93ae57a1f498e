// A toolset is bound to a type that is not a skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "hello")]
struct HelloToolset {}

struct WaveToolset {}

static SKILL: SkillDoc = include_skill!(
    "documents/greeting/SKILL.md",
    dialect = TRIGGERED,
    toolsets(HelloToolset, WaveToolset)
);

fn main() {
    println!("{}", SKILL.id);
}
