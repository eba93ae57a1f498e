//! Secrets in a state, in its configuration and in the base fields of an agent. Not compiled: the golden test reads it.

/// Sends mail.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[skill(name = "mail", config = MailConfig)]
pub struct Mail {
    pub sent: u32,
    #[skill(secret)]
    pub session_token: String,
}

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MailConfig {
    #[serde(alias = "api.key")]
    #[skill(default = "none".to_owned(), secret)]
    pub key: String,
}

agent! {
    #[derive(Debug)]
    pub struct Clerk {
        name: "clerk",
        state: {
            #[skill(secret)]
            badge: String = String::new(),
        },
    }
}
