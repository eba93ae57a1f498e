// The option `secret` is on a configuration instead of a field.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// How mail is sent.
#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(secret)]
struct MailConfig {
    key: String,
}

fn main() {}
