// The option `secret` is misspelled.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// How mail is sent.
#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct MailConfig {
    #[skill(secrets)]
    key: String,
}

fn main() {}
