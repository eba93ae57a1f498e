//! Very large, deeply nested and repetitive input is refused with a short message, without a stack overflow and without
//! changing the agent. Ten megabytes take under a second when optimized; a reader that compares each key with each other would
//! run for hours.

use crate::common::account_agent::{AccountAgent, debug_dump};
use crate::common::argument_kinds::ArgumentAgent;
use crate::common::deep_json::{DeepJson, nested_brackets};
use serde_json::{Value, json};
use skill_agent::core::ReadError;
use skill_agent::prelude::*;
use std::env;
use std::process::Command;

/// The maximum length of a message in bytes.
const MAX_MESSAGE: usize = 20_000;

/// The maximum number of problems reported for one document.
const MAX_PROBLEMS: usize = 200;

#[test]
fn ten_megabytes_of_arguments_are_refused_by_their_size() {
    let mut agent = AccountAgent::new();
    let before = debug_dump(&agent);
    for unit in [r#""x""#, "1.5", r#"{"key":[]}"#, "[[[[]]]]"] {
        let list = [unit].repeat(10_000_000 / (unit.len() + 1)).join(",");
        let text = format!(r#"{{"key":[{list}]}}"#);
        let error = agent.call_json("remember", &text).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the arguments of `remember` are wrong: the JSON has {} bytes; at most 1048576 are read",
                text.len()
            )
        );
    }
    assert_eq!(before, debug_dump(&agent));
}

#[test]
fn a_megabyte_of_wrong_arguments_is_refused_with_a_short_message() {
    let mega = "x".repeat(1_000_000);
    for (action, arguments) in [
        ("texts", json!({ "text": "a", "letter": mega })),
        (
            "texts",
            json!({ "text": "a", "letter": "b", mega.clone(): 1 }),
        ),
        ("options", json!({ "number": mega })),
        ("options", json!({ "shape": mega })),
        ("options", json!({ "list": [mega] })),
        ("patterns", json!({ "word": mega.to_uppercase() })),
        (
            "maps",
            json!({ "prices": { mega.clone(): "a" }, "by_number": {}, "people": {} }),
        ),
        (
            "maps",
            json!({ "prices": {}, "by_number": { mega.clone(): "a" }, "people": {} }),
        ),
        (
            "options",
            json!({ "person": { "fullName": 1, mega.clone(): 1 } }),
        ),
    ] {
        let error = ArgumentAgent::new()
            .call_json(action, &arguments.to_string())
            .unwrap_err();
        assert!(error.to_string().len() < MAX_MESSAGE, "{action}");
        let instruction = Instruction::new(action, arguments);
        let error = ArgumentAgent::new().run(&[instruction]).unwrap_err();
        assert!(error.to_string().len() < MAX_MESSAGE, "{action}");
    }
}

#[test]
fn an_action_name_of_a_megabyte_is_refused_with_a_short_message() {
    let mega = "x".repeat(1_000_000);
    let error = AccountAgent::new().call_json(&mega, "{}").unwrap_err();
    assert!(error.to_string().len() < MAX_MESSAGE);
}

#[test]
fn a_state_of_ten_megabytes_is_read() {
    let entry = r#"{"amount":1.5,"kind":{"share":{"people":3}}}"#;
    let count = 10_000_000 / (entry.len() + 1);
    let text = format!(
        r#"{{"account":{{"entries":[{}]}}}}"#,
        [entry].repeat(count).join(",")
    );
    let agent = AccountAgent::from_state_json(&text).unwrap();
    assert_eq!(agent.state().account.entries.len(), count);
}

#[test]
fn a_wrong_state_of_ten_megabytes_is_refused_with_a_short_message() {
    let entry = r#"{"amount":"1.5","kind":"gift"}"#;
    let count = 10_000_000 / (entry.len() + 1);
    let text = format!(
        r#"{{"account":{{"entries":[{}]}}}}"#,
        [entry].repeat(count).join(",")
    );
    let error = AccountAgent::from_state_json(&text).unwrap_err();
    assert!(
        error.problems().len() < MAX_PROBLEMS,
        "{}",
        error.problems().len()
    );
    assert!(error.to_string().len() < MAX_MESSAGE);
}

#[test]
fn ten_megabytes_of_unknown_keys_are_refused_with_a_short_message() {
    let keys: Vec<String> = (0..650_000).map(|n| format!(r#""key{n}":{n}"#)).collect();
    let keys = format!("{{{}}}", keys.join(","));
    for text in [format!(r#"{{"account":{keys}}}"#), keys] {
        let error = AccountAgent::from_state_json(&text).unwrap_err();
        assert!(
            error.problems().len() < MAX_PROBLEMS,
            "{}",
            error.problems().len()
        );
        assert!(error.to_string().len() < MAX_MESSAGE);
    }
}

#[test]
fn deeply_nested_arguments_are_refused() {
    let mut agent = ArgumentAgent::new();
    let before = agent.clone();
    for text in [
        nested_brackets(100_000, true),
        nested_brackets(100_000, false),
        format!(
            r#"{{"value":{},"values":[]}}"#,
            nested_brackets(100_000, true)
        ),
        r#"{"a":"#.repeat(100_000),
    ] {
        let error = agent.call_json("free", &text).unwrap_err();
        assert!(is_too_deep(&error), "{error}");
    }
    for deep in [
        DeepJson::arrays(100_000, &[]),
        DeepJson::objects(100_000, &["value"]),
    ] {
        let batch = [Instruction::new("free", deep.into_value())];
        let error = agent.run(&batch).unwrap_err();
        assert!(is_too_deep(&error.source), "{error}");
        let [instruction] = batch;
        drop(DeepJson::from(instruction.params));
    }
    assert_eq!(before, agent);
}

fn is_too_deep(error: &CallError) -> bool {
    matches!(
        error,
        CallError::Arguments {
            source: ReadError::TooDeep { .. },
            ..
        }
    )
}

#[test]
fn brackets_in_a_string_are_not_nesting() {
    let text = json!({ "text": nested_brackets(100_000, false), "letter": "[" }).to_string();
    ArgumentAgent::new().call_json("texts", &text).unwrap();
}

#[test]
fn nesting_up_to_the_limit_is_accepted() {
    let free = |levels| {
        format!(
            r#"{{"value":{},"values":[]}}"#,
            nested_brackets(levels, true)
        )
    };
    ArgumentAgent::new().call_json("free", &free(126)).unwrap();
    assert!(ArgumentAgent::new().call_json("free", &free(127)).is_err());
}

#[test]
fn a_deeply_nested_state_is_refused() {
    in_own_process("a_deeply_nested_state_is_refused", || {
        let mut agent = AccountAgent::new();
        let before = debug_dump(&agent);
        let text = format!(
            r#"{{"account":{{"last":{}}}}}"#,
            nested_brackets(100_000, true)
        );
        AccountAgent::from_state_json(&text).unwrap_err();
        for path in [&["account"][..], &["account", "last"], &["nobody"], &[]] {
            let deep = DeepJson::objects(100_000, path);
            agent.set(&deep).unwrap_err();
            AccountAgent::validate(&deep).unwrap_err();
            assert!(AccountAgent::builder().config_value(&deep).is_err());
        }
        assert_eq!(before, debug_dump(&agent));
    });
}

#[test]
fn a_deeply_nested_base_field_is_refused() {
    in_own_process("a_deeply_nested_base_field_is_refused", || {
        let deep = DeepJson::arrays(100_000, &["motto"]);
        AccountAgent::validate(&deep).unwrap_err();
    });
}

/// Runs a test in its own process, because a stack overflow would end the other tests too.
fn in_own_process(test: &str, body: impl FnOnce()) {
    const INNER: &str = "SKILL_TESTS_INNER";
    if env::var_os(INNER).is_some() {
        return body();
    }
    let program = env::current_exe().expect("the path of the test binary");
    let output = Command::new(program)
        .args(["--exact", &format!("size_limits::{test}")])
        .env(INNER, "1")
        .output()
        .expect("the test binary starts");
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{}\n{stderr}", output.status);
    assert!(
        stdout.contains("1 passed"),
        "no test is called {test}:\n{stdout}"
    );
}

#[test]
fn an_argument_given_twice_is_refused_with_its_path() {
    for (action, text, path) in [
        ("texts", r#"{"text":"a","text":"b","letter":"c"}"#, "text"),
        ("options", r#"{"number":null,"number":1}"#, "number"),
        ("by_serde", r#"{"number":1,"number":1}"#, "number"),
        (
            "nested",
            r#"{"person":{"fullName":"a","fullName":"b"},"others":[]}"#,
            "person.fullName",
        ),
    ] {
        assert_eq!(path_of(action, text), path, "{action} of {text}");
    }
}

// serde's own readers of maps keep the last of two equal keys, and its structs skip unknown keys.
#[test]
fn a_key_within_an_argument_given_twice_is_refused_with_its_path() {
    for (action, text, path) in [
        (
            "maps",
            r#"{"prices":{"a":1,"a":2},"by_number":{},"people":{}}"#,
            "prices.a",
        ),
        (
            "free",
            r#"{"value":{"a":1,"b":[{"c":1,"c":2}]},"values":[]}"#,
            "value.b[0].c",
        ),
        (
            "nested",
            r#"{"person":{"fullName":"a","more":1,"more":2},"others":[]}"#,
            "person.more",
        ),
    ] {
        assert_eq!(path_of(action, text), path, "{action} of {text}");
    }
}

#[track_caller]
fn path_of(action: &str, text: &str) -> String {
    match ArgumentAgent::new().call_json(action, text) {
        Err(CallError::Arguments { source, .. }) => source.problems()[0].path.clone(),
        other => panic!("{action} of {text}: {other:?}"),
    }
}

#[test]
fn a_key_of_the_state_given_twice_is_refused_with_its_path() {
    for (text, path) in [
        (r#"{"open":true,"open":false}"#, "open"),
        (r#"{"account":{},"account":{}}"#, "account"),
        (
            r#"{"account":{"balance":1,"balance":1}}"#,
            "account.balance",
        ),
        (
            r#"{"savings":{"last":{"notes":{"a":"b","a":"b"}}}}"#,
            "savings.last.notes.a",
        ),
    ] {
        let error = AccountAgent::from_state_json(text).unwrap_err();
        assert_eq!(error.problems()[0].path, path, "{error}");
    }
}

#[test]
fn every_problem_of_a_state_is_reported_with_its_path() {
    let mut agent = AccountAgent::new();
    let before = debug_dump(&agent);
    let patch = json!({
        "opne": true,
        "changes": -1,
        "account": { "balance": "much", "entries": [{ "amount": null }, { "kind": "gift" }], "lastt": null },
        "savings": { "last": { "kind": { "share": { "people": 1.5 } } } },
        "account2": {},
    });
    let error = agent.set(&patch).unwrap_err();
    let problems: Vec<(&str, Option<&str>)> = error
        .problems()
        .iter()
        .map(|problem| (&*problem.path, problem.help.as_deref()))
        .collect();
    for expected in [
        ("opne", Some("did you mean `open`?")),
        ("changes", None),
        ("account.balance", None),
        ("account.entries[0].amount", None),
        ("account.entries[1].kind", None),
        ("account.lastt", Some("did you mean `last`?")),
        ("savings.last.kind.share.people", None),
        ("account2", Some("did you mean `account`?")),
    ] {
        assert!(
            problems.contains(&expected),
            "{expected:?} in {problems:#?}"
        );
    }
    assert_eq!(problems.len(), 8, "{problems:#?}");
    assert_eq!(before, debug_dump(&agent));
    assert_eq!(AccountAgent::validate(&patch).unwrap_err(), error);
}

#[test]
fn text_that_is_not_a_state_is_refused() {
    for (text, message) in [
        ("", "not JSON: EOF while parsing a value at line 1 column 0"),
        ("[]", "at the top level: expected an object"),
        ("null", "at the top level: expected an object"),
        (
            r#"{"account":null}"#,
            "`account`: invalid type: null, expected an object",
        ),
        (
            r#"{"account":3}"#,
            "`account`: invalid type: integer `3`, expected an object",
        ),
    ] {
        let error = AccountAgent::from_state_json(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    assert!(AccountAgent::builder().config_value(&Value::Null).is_err());
}

#[test]
fn an_array_as_the_state_of_a_skill_is_refused() {
    let state = json!({ "account": [1.5, 2.5, [], null] });
    assert!(AccountAgent::validate(&state).is_err());
}
