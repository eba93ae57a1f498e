// A skill has a different name from its document.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "waver", manifest = "documents/greeter/SKILL.md", dialect = TRIGGERED)]
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
