// A skill requires a version of another that has none.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use fixture_speech::Diary;

/// Prints diaries.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "printer", requires("diary@^1"))]
struct Printer {
    pages: u32,
}

agent! {
    struct Writer {
        name: "writer",
        skills: [Diary, Printer],
    }
}

fn main() {}
