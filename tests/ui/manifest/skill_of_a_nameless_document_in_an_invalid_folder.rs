// The name of a folder cannot be the name of a skill, and its document has no name.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(manifest = "documents/4d-models/SKILL.md", dialect = AGENT_SKILLS_LENIENT)]
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
