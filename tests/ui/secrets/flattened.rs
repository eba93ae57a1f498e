// A secret of a configuration is flattened.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
struct Login {
    password: String,
}

/// How mail is sent.
#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct MailConfig {
    host: String,
    #[serde(flatten)]
    #[skill(secret)]
    login: Login,
}

fn main() {}
