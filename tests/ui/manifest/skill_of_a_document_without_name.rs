// A skill has a different name from the folder of its document, which has no name itself.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(
    name = "waver",
    manifest = "documents/without-name/SKILL.md",
    dialect = AGENT_SKILLS_LENIENT
)]
struct Greeter {}

agent! {
    struct Friend {
        name: "friend",
        skills: [Greeter],
    }
}

fn main() {
    Friend::new();
}
