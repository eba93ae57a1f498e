// A field that is no secret begins with a secret of the configuration.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Sends mail.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "mail", config = MailConfig)]
struct Mail {
    #[skill(from_config)]
    host: String,
    #[skill(from_config)]
    key: String,
}

/// How mail is sent.
#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct MailConfig {
    host: String,
    #[skill(secret)]
    key: String,
}

fn main() {}
