use serde_json::json;

use crate::tests::*;
use crate::{hide_secrets, hide_values, mask, schema_of, without_secrets};

const SECRETS: &[&str] = &["token", "login.password", "accounts.pin"];

fn masked(keys: &[&str], mut value: Value) -> Value {
    mask(&mut value, keys, SECRETS);
    value
}

#[test]
fn a_secret_is_masked_wherever_it_is() {
    let value = json!({
        "token": { "any": ["thing"] },
        "tokens": 1,
        "login": { "user": "ada", "password": null },
        "accounts": [{ "pin": 1, "name": "a" }, { "name": "b" }],
    });
    let expected = json!({
        "token": "<secret>",
        "tokens": 1,
        "login": { "user": "ada", "password": "<secret>" },
        "accounts": [{ "pin": "<secret>", "name": "a" }, { "name": "b" }],
    });
    assert_eq!(masked(&[], value), expected);
    assert_eq!(masked(&[], json!({ "login": "x" }))["login"], "<secret>");
}

#[test]
fn a_part_is_masked_by_the_keys_that_lead_to_it() {
    let secret = json!("<secret>");
    assert_eq!(masked(&["token"], json!(1)), secret);
    assert_eq!(masked(&["token", "any", "0"], json!(1)), secret);
    assert_eq!(masked(&["accounts", "0", "pin"], json!(1)), secret);
    assert_eq!(
        masked(&["accounts", "-"], json!({ "pin": 1 })),
        json!({ "pin": "<secret>" })
    );
    assert_eq!(
        masked(&["login"], json!({ "password": 1 })),
        json!({ "password": "<secret>" })
    );
    for keys in [
        &["tokens"][..],
        &["login", "user"],
        &["accounts", "0", "name"],
    ] {
        assert_eq!(masked(keys, json!(1)), json!(1), "{keys:?}");
    }
    let mut quoted = json!({ "api.key": 1, "api": { "key": 2 } });
    mask(&mut quoted, &[], &["[\"api.key\"]"]);
    assert_eq!(
        quoted,
        json!({ "api.key": "<secret>", "api": { "key": 2 } })
    );
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Account {
    token: Short,
    limit: u8,
    kind: Option<Tagged>,
    keys: BTreeMap<u8, String>,
    login: Inner,
}

const LAYOUT: Layout = Layout {
    schema: None,
    is_struct: false,
    secrets: &["token", "limit", "kind", "keys", "login"],
};

fn problems(current: &Account, patch: &Value, layout: Layout) -> Vec<(String, String)> {
    let mut problems = Vec::new();
    assert!(
        update(
            current,
            patch,
            Update::Patch,
            "account",
            layout,
            &mut problems
        )
        .is_none()
    );
    let text = |problem: &Problem| {
        let help = problem.help.clone().unwrap_or_default();
        (problem.path.clone(), problem.message.clone() + &help)
    };
    problems.iter().map(text).collect()
}

#[test]
fn no_problem_quotes_a_secret() {
    for (patch, path, message) in [
        (
            json!({ "token": 765_432 }),
            "account.token",
            "invalid type: integer <secret>, expected a string",
        ),
        (
            json!({ "limit": 765_432 }),
            "account.limit",
            "invalid value: integer <secret>, expected an integer from 0 to 255",
        ),
        (
            json!({ "kind": { "kind": "hunter" } }),
            "account.kind",
            "unknown variant <secret>, expected `A` or `B`",
        ),
        (
            json!({ "keys": { "hunter": "" } }),
            "account.keys",
            "expected key to be a number in quotes",
        ),
        (
            json!({ "login": { "hunter": "" } }),
            "account.login",
            "unknown field <secret>",
        ),
        (
            json!("hunter"),
            "account",
            "invalid type: string <secret>, expected an object",
        ),
        (
            json!([765_432]),
            "account",
            "invalid type: a list, expected an object",
        ),
    ] {
        let found = problems(&Account::default(), &patch, LAYOUT);
        let expected = [(path.to_owned(), message.to_owned())];
        assert_eq!(found, expected, "{patch}");
    }
}

#[test]
fn the_problem_of_a_value_that_is_no_secret_quotes_it() {
    let found = problems(
        &Account::default(),
        &json!({ "limit": 765_432 }),
        Layout::default(),
    );
    let message = "invalid value: integer `765432`, expected an integer from 0 to 255";
    assert_eq!(found, [("account.limit".to_owned(), message.to_owned())]);
}

/// Refuses what it has itself written.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
struct Picky {
    #[serde(deserialize_with = "refuse")]
    code: String,
    other: u8,
}

fn refuse<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let code = String::deserialize(from)?;
    Err(serde::de::Error::custom(format_args!(
        "the code {code} is wrong"
    )))
}

#[test]
fn a_problem_quotes_the_patch_and_not_the_present_value() {
    let current = Picky {
        code: "stored".to_owned(),
        other: 1,
    };
    let message_for = |patch: Value, secrets| {
        let mut problems = Vec::new();
        let layout = Layout {
            schema: None,
            secrets,
            is_struct: false,
        };
        update(&current, &patch, Update::Patch, "", layout, &mut problems);
        problems[0].message.clone()
    };
    let (unset, set) = (json!({ "other": 2 }), json!({ "code": "sent-x" }));
    assert_eq!(message_for(unset, &[]), "the code … is wrong");
    assert_eq!(message_for(set.clone(), &[]), "the code sent-x is wrong");
    assert_eq!(message_for(set, &["code"]), "the code <secret> is wrong");
}

#[test]
fn a_text_hides_whole_words_and_secrets_within_words() {
    let state = json!({ "name": "ada", "count": 5, "on": true, "text": "a \"b\"" });
    let hidden = |text| hide_values(text, &[&state]);
    assert_eq!(hidden("ada had 5 adages: true"), "… had … adages: true");
    assert_eq!(
        hidden(r#"string "a \"b\"", expected"#),
        "string \"…\", expected"
    );
    let secret = json!("hunter2");
    let hidden = |text| hide_secrets(text, &[&secret]);
    assert_eq!(hidden("`hunter2` is short"), "`<secret>` is short");
    assert_eq!(
        hidden("xhunter2x is short"),
        "the value <secret> is refused"
    );
    assert_eq!(hidden("ten characters"), "ten characters");
}

#[test]
fn a_schema_has_no_default_of_a_secret() {
    #[derive(Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    struct Mail {
        sent: u32,
        token: String,
        login: Inner,
        box_: Inner,
    }
    let mut schema = schema_of::<Mail>();
    let before = schema.clone();
    assert_eq!(before.as_value()["properties"]["token"]["default"], "");
    without_secrets(&mut schema, &["token", "login.ratio", "box_"]);
    let properties = &schema.as_value()["properties"];
    assert_eq!(properties["sent"]["default"], 0);
    assert_eq!(properties["token"], json!({ "type": "string" }));
    assert_eq!(properties["login"]["default"], json!({ "count": 0 }));
    assert_eq!(properties["box_"].get("default"), None);
    let mut same = before.clone();
    without_secrets(&mut same, &[]);
    assert_eq!(same, before);
}
