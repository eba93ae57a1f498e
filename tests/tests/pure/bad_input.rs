//! Bad input from a model or a file gives a typed error with its place, leaves the agent unchanged, and never panics.

use crate::common::account_agent::{AccountAgent, debug_dump};
use crate::common::argument_kinds::ArgumentAgent;
use crate::common::refused_calls::{argument_problem, call_error};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::ReadError;
use skill_agent::prelude::*;
use std::collections::BTreeSet;

#[test]
fn an_unknown_action_is_reported_with_a_suggestion() {
    for (written, meant) in [
        ("depositt", Some("deposit")),
        ("Balance", Some("balance")),
        ("saving_share", Some("savings_share")),
        ("set-open", Some("set_open")),
        ("fly_to_the_moon", None),
        ("", None),
        ("audi", None), // `audit` is internal, so it is not suggested
    ] {
        let error = call_error(AccountAgent::new(), written, "{}");
        let text = error.to_string();
        assert!(
            text.starts_with(&format!(
                "the agent `account_agent` has no action `{written}`"
            )),
            "{text}"
        );
        match error {
            CallError::UnknownAction { suggestion, .. } => assert_eq!(suggestion, meant, "{text}"),
            other => panic!("{other:?}"),
        }
        if let Some(meant) = meant {
            assert!(
                text.ends_with(&format!("did you mean `{meant}`?")),
                "{text}"
            );
        }
        let instruction = Instruction::new(written, json!({}));
        let error = AccountAgent::new().run(&[instruction]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("instruction 1 (`{written}`) failed: {text}")
        );
    }
}

#[test]
fn invalid_json_is_reported_with_line_and_column() {
    for (text, at) in [
        ("{", (1, 1)),
        ("{\n  \"amount\": 1,\n}", (3, 1)),
        ("{\"amount\": 1} 2", (1, 15)),
        ("{amount: 1}", (1, 2)),
        ("{'amount': 1}", (1, 2)),
        ("{\"amount\": NaN}", (1, 12)),
        ("{\"amount\": Infinity}", (1, 12)),
        ("{\"amount\": 01}", (1, 13)),
        ("{\"amount\": .5}", (1, 12)),
        ("{\"amount\": \"\n\"}", (1, 12)),
        ("\u{feff}{}", (1, 1)),
        ("deposit(1)", (1, 1)),
    ] {
        match call_error(AccountAgent::new(), "deposit", text) {
            CallError::Arguments {
                source: ReadError::Syntax { line, column, .. },
                action,
                ..
            } => {
                assert_eq!(((line, column), action), (at, "deposit"), "{text:?}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

#[test]
fn an_incomplete_surrogate_pair_is_reported_with_its_path() {
    let error = call_error(AccountAgent::new(), "remember", r#"{"key":"\ud800"}"#).to_string();
    assert_eq!(
        error,
        "the arguments of `remember` are wrong: `key`: unexpected end of hex escape"
    );
}

#[test]
fn missing_arguments_are_reported_by_name() {
    let missing = |action, arguments| argument_problem(action, &arguments);
    let at = |path: &str, field: &str| (path.to_owned(), format!("missing field `{field}`"));
    assert_eq!(missing("texts", json!({ "text": "a" })), at("", "letter"));
    assert_eq!(
        missing("rename-it", json!({ "type": "a" })),
        at("", "from-date")
    );
    assert_eq!(
        missing("by_serde", json!({ "note": "a" })),
        at("", "number")
    );
    assert_eq!(
        missing(
            "nested",
            json!({ "person": { "fullName": "a", "home": { "floor": 1 } }, "others": [] })
        ),
        at("person.home", "street")
    );
    assert_eq!(
        missing(
            "nested",
            json!({ "person": { "fullName": "a" }, "others": [{ "fullName": "b" }, {}] })
        ),
        at("others[1]", "fullName")
    );
    for nothing in [json!(null), json!(1), json!("a"), json!(true)] {
        let (path, message) = argument_problem("texts", &nothing);
        assert_eq!(path, "");
        assert!(
            message.ends_with("expected an object with the arguments `text`, `letter`"),
            "{message}"
        );
    }
}

/// Asserts that each action refuses its arguments with a message about the path.
fn assert_argument_problems(cases: &[(&str, Value, &str, &str)]) {
    for (action, arguments, path, message) in cases {
        let (at, what) = argument_problem(action, arguments);
        assert_eq!(at, *path, "{what}");
        assert!(what.starts_with(message), "{at}: {what}");
    }
}

#[test]
fn wrong_types_are_reported_and_never_coerced() {
    assert_argument_problems(&[
        (
            "texts",
            json!({ "text": 2, "letter": "a" }),
            "text",
            "invalid type: integer `2`, expected a string",
        ),
        (
            "texts",
            json!({ "text": "", "letter": "ab" }),
            "letter",
            "invalid value: string \"ab\", expected a character",
        ),
        (
            "options",
            json!({ "number": "2" }),
            "number",
            "invalid type: string \"2\", expected a non-negative integer",
        ),
        (
            "options",
            json!({ "number": 2.5 }),
            "number",
            "invalid type: floating point `2.5`, expected a non-negative integer",
        ),
        (
            "options",
            json!({ "number": true }),
            "number",
            "invalid type: boolean `true`, expected a non-negative integer",
        ),
        (
            "options",
            json!({ "list": ["red", 3] }),
            "list[1]",
            "invalid type: ",
        ),
        (
            "options",
            json!({ "list": ["rad"] }),
            "list[0]",
            "unknown variant `rad`, expected `red` or `dark_green`",
        ),
        (
            "defaults",
            json!({ "zero": null }),
            "zero",
            "invalid type: null, expected a non-negative integer",
        ),
    ]);
}

#[test]
fn wrong_types_within_an_argument_are_reported_with_their_path() {
    let person = |person: Value| json!({ "person": { "fullName": "a" }, "others": [{ "fullName": "b" }, person] });
    assert_argument_problems(&[
        (
            "nested",
            person(json!({ "fullName": "c", "home": { "street": "d", "floor": "e" } })),
            "others[1].home.floor",
            "invalid type: string \"e\", expected an integer",
        ),
        (
            "nested",
            person(json!({ "fullName": "c", "home": { "street": "d", "flor": 1 } })),
            "others[1].home.flor",
            "unknown field `flor`, expected `street` or `floor`",
        ),
        (
            "maps",
            json!({ "prices": { "a b": "c" }, "by_number": {}, "people": {} }),
            "prices[\"a b\"]",
            "invalid type: string \"c\", expected a number",
        ),
        (
            "maps",
            json!({ "prices": {}, "by_number": { "x": "c" }, "people": {} }),
            "by_number.x",
            "expected key to be a number in quotes",
        ),
        (
            "tuples",
            json!({ "pair": [1], "triple": [1, 2, 3], "height": 1, "nothing": null }),
            "pair",
            "invalid length 1, expected a list of 2 items",
        ),
        (
            "recursive",
            json!({ "tree": { "size": 1, "left": { "size": 2, "right": [{ "size": -3 }] } }, "trees": [] }),
            "tree.left.right[0].size",
            "invalid value: integer `-3`, expected an integer from 0 to 255",
        ),
    ]);
}

#[test]
fn an_unknown_argument_is_refused_with_a_suggestion() {
    let error = call_error(ArgumentAgent::new(), "texts", r#"{"text":"a","leter":"b"}"#);
    assert_eq!(
        error.to_string(),
        "the arguments of `texts` are wrong: `leter`: unknown field `leter`, expected `text` or `letter`; did you mean `letter`?"
    );
}

#[test]
fn an_array_of_arguments_is_refused() {
    for (action, text) in [
        ("texts", r#"["a","b"]"#),
        ("no_arguments", "[]"),
        ("by_serde", "[null,1,7]"), // read by serde's derive
    ] {
        let answer = ArgumentAgent::new().call_json(action, text);
        assert!(answer.is_err(), "{action} accepted {text}");
    }
}

#[test]
fn internal_actions_are_refused_by_call_json_and_accepted_by_run() {
    let mut agent = AccountAgent::new();
    agent.call_json("deposit", r#"{"amount":1.5}"#).unwrap();
    let before = debug_dump(&agent);
    for name in ["audit", "savings_audit"] {
        let error = agent.call_json(name, r#"{"strict":true}"#).unwrap_err();
        assert!(matches!(error, CallError::Internal { action, .. } if action == name));
        assert_eq!(
            error.to_string(),
            format!(
                "the action `{name}` is internal: only code, routes and other actions may run it"
            )
        );
        assert!(AccountAgent::tools().iter().all(|tool| tool.name != name));
        assert!(
            AccountAgent::actions()
                .iter()
                .any(|action| action.name == name && action.internal)
        );
    }
    assert_eq!(before, debug_dump(&agent));
    let audit = |name| Instruction::new(name, json!({ "strict": true }));
    let done = agent
        .run(&[audit("audit"), audit("savings_audit")])
        .unwrap();
    assert_eq!(done.output, [json!(1), json!(0)]);
}

#[test]
fn an_instruction_without_params_is_a_call_without_arguments() {
    let instruction: Instruction = serde_json::from_str(r#"{"action":"no_arguments"}"#).unwrap();
    let done = ArgumentAgent::new().run(&[instruction]);
    assert!(done.is_ok(), "{}", done.unwrap_err());
}

/// A till.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "till", actions(Pay))]
pub struct Till {}

/// An amount of money.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Amount {
    Cents(u64),
    Text { euros: f64 },
}

/// Pay.
#[action]
pub fn pay(_: &Till, amount: Amount, at: std::time::Duration) {
    let _ = (amount, at);
}

agent! { struct Shop { name: "shop", skills: [Till] } }

#[test]
fn a_model_reads_the_alternatives_and_the_fields_of_an_object() {
    let error = Shop::new().call_json("pay", r#"{"amount":"5 EUR","at":"PT1H"}"#);
    let error = error.unwrap_err().to_string();
    let (amount, at) = error.split_once("\n  `at`: ").unwrap();
    assert!(
        amount.ends_with(
            "`amount`: it fits none of the alternatives; expected a non-negative integer or an object with `euros`"
        ),
        "{error}"
    );
    let at = at.strip_prefix("invalid type: string \"PT1H\", expected an object; its fields are ");
    let fields = at.map(|fields| fields.split(" and ").collect::<BTreeSet<_>>());
    assert_eq!(
        fields,
        Some(BTreeSet::from(["`secs`", "`nanos`"])),
        "{error}"
    );
}
