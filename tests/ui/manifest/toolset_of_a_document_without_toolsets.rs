// A type is bound to a document without toolsets.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "clock")]
struct Clock {}

static SKILL: SkillDoc = include_skill!("documents/good/SKILL.md", toolsets(Clock));

fn main() {
    println!("{}", SKILL.id);
}
