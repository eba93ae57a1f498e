// A skill has a different description from its document.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(manifest = "documents/greeter/SKILL.md", dialect = TRIGGERED, description = "Waves at somebody.")]
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
