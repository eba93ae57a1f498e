// A skill is listed among the documents.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Reads and writes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "desk", version = "0.1.0", actions(Read, Write))]
struct Desk {}

/// Read a file.
#[action]
fn read(_: &Desk) {}

/// Write a file.
#[action]
fn write(_: &Desk) {}

agent! {
    struct Clerk {
        name: "clerk",
        documents: [Desk],
    }
}

fn main() {}
