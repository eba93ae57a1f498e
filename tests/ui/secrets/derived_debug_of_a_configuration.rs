// A configuration with a secret derives `Debug`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// How mail is sent.
#[derive(SkillConfig, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct MailConfig {
    host: String,
    #[skill(secret)]
    key: String,
}

fn main() {}
