// A skill has different instructions from its document.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(manifest = "documents/greeter/SKILL.md", dialect = TRIGGERED, instructions = "Wave.")]
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
