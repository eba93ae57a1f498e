// Each field that could not be read back is reported.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Keeps notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all(deserialize = "kebab-case"))]
#[skill(name = "notes")]
struct Notes {
    answer: Option<Option<bool>>,
    #[serde(skip)]
    cache: Option<Option<u8>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<(u8, Option<Option<u8>>)>,
    #[serde(rename(serialize = "newest", deserialize = "latest"))]
    last: String,
    first_line: String,
    second_line: String,
}

fn main() {}
