// An agent that offers documents has an action named `skill`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Reads and writes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "desk", version = "0.1.0", actions(Read, Describe))]
struct Desk {}

/// Read a file.
#[action]
fn read(_: &Desk) {}

/// Say what the desk is good for.
#[action(name = "skill", type = Describe)]
fn describe(_: &Desk) {}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        allow_skills: true,
    }
}

fn main() {}
