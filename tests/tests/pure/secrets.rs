//! Secrets: fields that are stored and never shown.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use skill_agent::core::process;
use skill_agent::core::spec::MASK;
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// In every secret of these tests.
const HUNTER: &str = "hunter2";

/// Sends mail.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[skill(name = "mail", config = MailConfig, actions(Send))]
pub struct Mail {
    #[skill(default)]
    pub sent: u32,
    #[skill(default = Some("hunter2-of-the-session".to_owned()), secret)]
    pub session_token: Option<String>,
    #[skill(secret, from_config)]
    pub pin: u32,
    #[skill(default, secret)]
    #[serde(alias = "pass.words")]
    pub passwords: BTreeMap<u8, Login>,
}

/// A name and a password.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    pub user: String,
    pub password: String,
}

/// How mail is sent.
#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MailConfig {
    #[skill(default = "localhost".to_owned())]
    pub host: String,
    #[skill(default = "hunter2-of-the-type".to_owned(), secret)]
    #[serde(deserialize_with = "long_key")]
    pub key: String,
    #[skill(secret, default = 765_432)]
    pub pin: u32,
    #[skill(secret)]
    #[serde(skip)]
    pub cache: String,
}

/// Quotes what it refuses, as code of a user may.
fn long_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let key = String::deserialize(deserializer)?;
    if key.len() < 10 {
        return Err(serde::de::Error::custom(format_args!("{key} is short")));
    }
    Ok(key)
}

/// Send a mail.
#[action]
pub fn send(mail: &mut Mail) -> u32 {
    mail.sent += 1;
    mail.sent
}

agent! {
    /// Keeps an office.
    #[derive(Debug, PartialEq)]
    pub struct Clerk {
        name: "clerk",
        state: {
            #[skill(secret)]
            #[serde(rename = "badgeNumber")]
            badge: String = "hunter2-of-the-badge".to_owned(),
            desk: u32 = 1,
        },
        config: MailConfig { key: "hunter2-of-the-clerk".to_owned() },
        skills: [Mail { key: "hunter2-of-mail".to_owned() }, Mail as post],
        mounted: [Safe],
    }
}

impl PartialEq for Mail {
    fn eq(&self, other: &Self) -> bool {
        self.session_token == other.session_token
    }
}

/// Keeps a combination.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "safe", config = MailConfig)]
pub struct Safe {
    #[skill(default = "hunter2-of-the-safe".to_owned(), secret)]
    pub combination: String,
    #[skill(default)]
    pub open: bool,
}

fn configured() -> Clerk {
    let key = json!({ "key": "hunter2-of-run-time" });
    let mut clerk = Clerk::builder()
        .config_value(&json!({ "mail": key, "post": key }))
        .unwrap()
        .id("clerk-1")
        .build()
        .unwrap();
    let options = json!({ "key": "hunter2-of-the-options" });
    clerk.mounted_mut().mount::<Safe>(&options).unwrap();
    clerk
}

#[track_caller]
fn assert_hidden(text: &str) {
    for secret in [HUNTER, "765432"] {
        assert!(!text.contains(secret), "{text}");
    }
}

#[test]
fn debug_masks_secrets_in_states_configurations_and_agents() {
    let mail = Mail::default();
    assert_eq!(
        format!("{mail:?}"),
        "Mail { sent: 0, session_token: <secret>, pin: <secret>, passwords: <secret> }"
    );
    assert_eq!(
        format!("{:?}", MailConfig::default()),
        "MailConfig { host: \"localhost\", key: <secret>, pin: <secret>, cache: <secret> }"
    );
    let clerk = configured();
    let text = format!("{clerk:?}");
    assert_hidden(&text);
    for part in [
        "ClerkBase { badge: <secret>, desk: 1 }",
        "\"host\": String(\"localhost\")",
        "\"open\": Bool(false)",
        "clerk-1",
    ] {
        assert!(text.contains(part), "{text} lacks {part}");
    }
    assert_hidden(&format!(
        "{:#?}",
        Clerk::builder().config::<Mail>(MailConfig::default())
    ));
    let mut cx = Context::<Mail>::for_test(MailConfig::default());
    cx.mount("safe", &json!({ "key": "hunter2" }));
    assert_hidden(&format!("{cx:?}"));
}

#[test]
fn the_values_themselves_are_untouched() {
    let clerk = configured();
    let state = clerk.state_value().unwrap();
    assert_eq!(state["badgeNumber"], "hunter2-of-the-badge");
    assert_eq!(state["mail"]["sessionToken"], "hunter2-of-the-session");
    let copy = Clerk::from_state_json(&clerk.state_json().unwrap()).unwrap();
    assert_eq!(copy.state_value().unwrap(), state);
}

#[test]
fn specs_have_the_paths_of_secrets() {
    let paths = ["sessionToken", "pin", "passwords", "[\"pass.words\"]"];
    assert_eq!(Mail::SPEC.state_secrets, paths);
    assert_eq!(Mail::SPEC.config_secrets, ["key", "pin"]);
    let described = Clerk::describe();
    assert_eq!(described["skills"][1]["name"], "post");
    for skill in 0..2 {
        let skill = &described["skills"][skill];
        assert_eq!(skill["state_secrets"], json!(paths));
        assert_eq!(skill["config_secrets"], json!(["key", "pin"]));
    }
    assert_eq!(described["config_secrets"], json!(["key", "pin"]));
    assert_eq!(
        described["mounted"][0]["state_secrets"],
        json!(["combination"])
    );
    let all = described["state_secrets"].as_array().unwrap();
    assert_eq!(all[..2], [json!("badgeNumber"), json!("mail.sessionToken")]);
    assert_eq!(all.last().unwrap(), "skills.safe.combination");
}

#[test]
fn a_description_has_no_secret() {
    let described = Clerk::describe();
    assert_hidden(&described.to_string());
    let mail = &described["skills"][0];
    assert_eq!(
        mail["config"],
        json!({ "host": "localhost", "key": MASK, "pin": MASK })
    );
    assert_eq!(described["config"]["key"], MASK);
    let config = &mail["config_schema"]["properties"];
    assert_eq!(config["host"]["default"], "localhost");
    assert_eq!(config["key"].get("default"), None);
    for spec in [Mail::SPEC, Safe::SPEC] {
        assert_hidden(&spec.state_schema.unwrap()().to_string());
        assert_hidden(&spec.config_schema.unwrap()().to_string());
    }
    let state = serde_json::to_value(Clerk::schema()).unwrap();
    assert_hidden(&state.to_string());
    assert_eq!(state["properties"]["desk"]["default"], 1);
    assert_eq!(
        state["properties"]["mail"]["properties"]["sent"]["default"],
        0
    );
}

/// The text of the error for a patch of the state.
fn set(patch: Value) -> String {
    configured().set(&patch).unwrap_err().to_string()
}

#[test]
fn an_error_quotes_what_was_sent_except_for_secrets() {
    assert_eq!(
        set(json!({ "mail": { "sent": "many", "sessionToken": 765_432 } })),
        "2 problems\n  `mail.sent`: invalid type: string \"many\", expected a non-negative integer\n  \
         `mail.sessionToken`: invalid type: integer <secret>, expected a string"
    );
    assert_eq!(
        set(json!({ "desk": "hunter", "badgeNumber": 765_432 })),
        "2 problems\n  `badgeNumber`: invalid type: integer <secret>, expected a string\n  \
         `desk`: invalid type: string \"hunter\", expected a non-negative integer"
    );
    let login = json!({ "1": { "user": "ada", "hunter2": 1 } });
    for key in ["passwords", "pass.words"] {
        assert_hidden(&set(json!({ "post": { key: login } })));
        assert_hidden(&set(json!({ "post": { key: { "hunter2": 1 } } })));
    }
    assert_hidden(&set(
        json!({ "skills": { "safe": { "combination": 765_432 } } }),
    ));
    let mail = json!({ "mail": { "sessionToken": 765_432 } });
    assert_hidden(&Clerk::validate(&mail).unwrap_err().to_string());
    assert_hidden(
        &Clerk::from_state_json(&mail.to_string())
            .unwrap_err()
            .to_string(),
    );
    assert_hidden(&format!("{:?}", Clerk::validate(&mail)));
}

#[test]
fn an_error_about_a_configuration_has_no_secret() {
    let builder = Clerk::builder();
    let error = builder.config_value(&json!({ "mail": { "host": 1, "key": "hunter2" } }));
    assert_eq!(
        error.unwrap_err().to_string(),
        "2 problems\n  `mail.host`: invalid type: integer `1`, expected a string\n  \
         `mail.key`: <secret> is short"
    );
    let error = Clerk::builder().config_json("post", r#"{ "pin": "hunter2" }"#);
    assert_hidden(&error.unwrap_err().to_string());
    let error = configured()
        .mounted_mut()
        .replace::<Safe>(&json!({ "key": "hunter2" }));
    assert_hidden(&error.unwrap_err().to_string());
}

#[test]
fn a_state_is_masked_as_a_whole_and_in_parts() {
    let mut state = configured().state_value().unwrap();
    process::mask_state::<Clerk>(&[], &mut state);
    assert_hidden(&state.to_string());
    assert_eq!(
        (&state["desk"], &state["mail"]["sent"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(
        state["skills"]["safe"],
        json!({ "combination": MASK, "open": false })
    );
    let mut value = json!("hunter2");
    process::mask_state::<Clerk>(&["post", "sessionToken"], &mut value);
    assert_eq!(value, MASK);
    let mut patch = json!({ "sessionToken": "hunter2", "sent": 1 });
    Mail::SPEC.mask_state(&[], &mut patch);
    assert_eq!(patch, json!({ "sessionToken": MASK, "sent": 1 }));
}

/// Implements `Skill` by hand, and has a secret in a part of its state.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Door {
    pub login: Login,
    pub open: bool,
}

fn of_login() -> &'static Value {
    static SCHEMA: std::sync::OnceLock<Value> = std::sync::OnceLock::new();
    SCHEMA.get_or_init(|| {
        let text = json!({ "type": "string", "default": HUNTER });
        json!({ "type": "object", "properties": { "password": text, "user": text } })
    })
}

impl Skill for Door {
    type Config = Login;
    const SPEC: skill_core::SkillSpec = skill_core::SkillSpec::new("door")
        .state_secrets(&["login.password"])
        .config_secrets(&["password"])
        .schemas(of_login, of_login);
}

agent! {
    pub struct Porter {
        name: "porter",
        skills: [Door { user: "ada".to_owned(), password: "hunter2".to_owned() }],
    }
}

#[test]
fn a_skill_that_is_written_by_hand_names_its_secrets() {
    let error =
        Porter::validate(&json!({ "door": { "login": { "user": 1, "password": 765_432 } } }));
    assert_eq!(
        error.unwrap_err().to_string(),
        "2 problems\n  `door.login.user`: invalid type: integer `1`, expected a string\n  \
         `door.login.password`: invalid type: integer <secret>, expected a string"
    );
    let described = Porter::describe();
    let door = &described["skills"][0];
    assert_eq!(door["config"], json!({ "user": "ada", "password": MASK }));
    let properties = &door["config_schema"]["properties"];
    assert_eq!(properties["user"]["default"], HUNTER);
    assert_eq!(properties["password"].get("default"), None);
    assert_eq!(described["state_secrets"], json!(["door.login.password"]));
}
