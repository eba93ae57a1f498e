// serde takes a missing `Option` for `None`, unless it has a reader of its own.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Keeps notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "notes")]
struct Notes {
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "read")]
    #[schemars(with = "Option<String>")]
    title: Option<String>,
}

fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}

fn main() {}
