// A skill has a different version from its document.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(manifest = "documents/greeter/SKILL.md", dialect = TRIGGERED, version = "1.1.0")]
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
