//! The skills in `mountable`: their actions, their signals, and mounting by signals.

use serde_json::json;
use skill_agent::core::Registry;
use skill_agent::prelude::*;
use skill_examples::mountable::arithmetic::{DivisionByZero, add, divide, multiply, subtract};
use skill_examples::mountable::{
    Arithmetic, Assistant, Auth, AuthenticatedSearch, Counter, HttpClient,
};
use std::error::Error;

fn enable(skill: &str) -> Signal {
    Signal::new("enable_skill", json!({ "skill": skill }))
}

fn disable(skill: &str) -> Signal {
    Signal::new("disable_skill", json!({ "skill": skill }))
}

#[test]
fn a_calculate_signal_becomes_an_instruction() {
    let mut skills = Mounted::new();
    skills.mount::<Arithmetic>(&json!({})).unwrap();
    for op in ["add", "subtract", "multiply", "divide"] {
        let signal = Signal::new("calculate", json!({ "op": op, "a": 6, "b": 3 }));
        let directives = skills.deliver(&signal).unwrap().unwrap();
        let [Directive::Run(instruction)] = &directives[..] else {
            panic!("{directives:?}");
        };
        assert_eq!(instruction.action, op);
        assert_eq!(instruction.params, json!({ "a": 6, "b": 3 }));
        assert_eq!(instruction.origin.skill, "arithmetic");
    }
    assert_eq!(
        serde_json::to_value(&skills).unwrap(),
        json!({ "arithmetic": {} })
    );
}

#[test]
fn unknown_operations_are_ignored() {
    let mut skills = Mounted::new();
    skills.mount::<Arithmetic>(&json!({})).unwrap();
    for signal in [
        Signal::new("calculate", json!({ "op": "modulo", "a": 5, "b": 3 })),
        Signal::new("calculate", json!(null)),
        Signal::new("calculate.add", json!({ "op": "add", "a": 5, "b": 3 })),
    ] {
        assert!(skills.deliver(&signal).unwrap().is_none(), "{signal:?}");
    }
}

#[test]
fn the_four_actions_compute_and_divide_has_a_typed_error() {
    let arithmetic = &Arithmetic {};
    assert_eq!(add(arithmetic, 2.0, 3.0), 5.0);
    assert_eq!(subtract(arithmetic, 2.0, 3.0), -1.0);
    assert_eq!(multiply(arithmetic, 2.0, 3.0), 6.0);
    assert_eq!(divide(arithmetic, 3.0, 2.0), Ok(1.5));
    assert_eq!(divide(arithmetic, 10.0, 0.0), Err(DivisionByZero));

    let mut skills = Mounted::new();
    assert_eq!(skills.mount::<Arithmetic>(&json!({})).unwrap().len(), 4);
    assert_eq!(
        skills
            .call_json("divide", r#"{"a":3,"b":2}"#)
            .unwrap()
            .output,
        "1.5"
    );
    let error = skills.call_json("divide", r#"{"a":10,"b":0}"#).unwrap_err();
    let typed = error.action_error().and_then(|error| error.downcast_ref());
    assert_eq!(typed, Some(&DivisionByZero));
    let run = skills.run(&[
        Instruction::new("multiply", json!({ "a": 4, "b": 5 })),
        Instruction::new("add", json!({ "a": 1, "b": 2 })),
    ]);
    assert_eq!(run.unwrap().output, [json!(20.0), json!(3.0)]);
}

#[test]
fn the_counter_answers_with_a_reply() {
    let mut skills = Mounted::new();
    skills.mount::<Counter>(&json!({ "step": 3 })).unwrap();
    for _ in 0..2 {
        let queued = skills
            .deliver(&Signal::new("increment", json!({})))
            .unwrap();
        assert_eq!(queued, Some(Vec::new()));
    }
    let directives = skills
        .deliver(&Signal::new("get_count", json!({})))
        .unwrap()
        .unwrap();
    let [Directive::Reply(reply)] = &directives[..] else {
        panic!("{directives:?}");
    };
    assert_eq!(
        reply.signal,
        Signal::new("count_value", json!({ "count": 6 }))
    );
    assert_eq!(
        skills.state::<Counter>(),
        Some(&Counter { count: 6, step: 3 })
    );
}

#[test]
fn a_counter_at_its_maximum_fails_and_keeps_its_count() {
    let mut skills =
        Mounted::restore::<(Counter,)>(&json!({ "counter": { "count": i64::MAX } })).unwrap();
    let error = skills
        .deliver(&Signal::new("increment", json!({})))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the skill `counter` could not handle the signal"
    );
    assert_eq!(
        error.source().unwrap().to_string(),
        "the count is at its maximum"
    );
    assert_eq!(skills.state::<Counter>().unwrap().count, i64::MAX);
}

#[test]
fn the_search_can_be_mounted_only_after_both_required_skills() {
    let mut skills = Mounted::with_registry(Registry::of::<(Auth, HttpClient)>());
    for required in ["auth", "http_client"] {
        assert_eq!(
            skills.mount::<AuthenticatedSearch>(&json!({})).unwrap_err(),
            MountError::MissingDependency {
                skill: "authenticated_search".into(),
                required: required.into()
            }
        );
        skills.mount_named(required, &json!({})).unwrap();
    }
    skills.mount::<AuthenticatedSearch>(&json!({})).unwrap();
    let outcome = skills.call_json("query", r#"{"text":"rust"}"#).unwrap();
    assert!(matches!(
        &outcome.directives[..],
        [Directive::Run(get)] if get.action == "get" && get.params == json!({ "url": "https://search.example/rust" })
    ));
}

#[test]
fn signals_enable_and_disable_skills() {
    let mut assistant = Assistant::new();
    let increment = Signal::new("increment", json!({}));
    assert!(assistant.deliver(&increment).unwrap().is_none());

    let directives = assistant.deliver(&enable("arithmetic")).unwrap().unwrap();
    assert_eq!(directives.len(), 4);
    assert!(
        directives
            .iter()
            .all(|directive| matches!(directive, Directive::RegisterAction { .. }))
    );
    let again = assistant.deliver(&enable("arithmetic")).unwrap();
    assert_eq!(again, Some(Vec::new()));

    assistant.deliver(&enable("counter")).unwrap();
    assert!(assistant.deliver(&increment).unwrap().is_some());
    assert_eq!(
        serde_json::to_value(assistant.state()).unwrap(),
        json!({ "skills": { "arithmetic": {}, "counter": { "count": 1, "step": 1 } } })
    );

    let directives = assistant.deliver(&disable("arithmetic")).unwrap().unwrap();
    assert_eq!(directives.len(), 4);
    assert!(
        directives
            .iter()
            .all(|directive| matches!(directive, Directive::DeregisterAction { .. }))
    );
    let again = assistant.deliver(&disable("arithmetic")).unwrap();
    assert_eq!(again, Some(Vec::new()));
    assert_eq!(assistant.mounted().names().collect::<Vec<_>>(), ["counter"]);
}

#[test]
fn an_instruction_queued_by_a_signal_can_be_run() {
    let mut assistant = Assistant::new();
    assistant.deliver(&enable("arithmetic")).unwrap();
    let signal = Signal::new("calculate", json!({ "op": "multiply", "a": 6, "b": 7 }));
    let directives = assistant.deliver(&signal).unwrap().unwrap();
    let [Directive::Run(instruction)] = &directives[..] else {
        panic!("{directives:?}");
    };
    let run = assistant.run(std::slice::from_ref(instruction)).unwrap();
    assert_eq!(run.output, [json!(42.0)]);
}

#[test]
fn a_skill_that_cannot_be_enabled_or_disabled_gives_an_error() {
    let mut assistant = Assistant::new();
    for (signal, refusal) in [
        (
            enable("countr"),
            Some("no skill or document `countr` is in the registry; did you mean `counter`?"),
        ),
        (
            enable("authenticated_search"),
            Some(
                "`authenticated_search` requires `auth`, which is not mounted; mount `auth` first",
            ),
        ),
        (enable("auth"), None),
        (enable("http_client"), None),
        (enable("authenticated_search"), None),
        (
            disable("auth"),
            Some(
                "`auth` cannot be unmounted, because `authenticated_search` requires it; unmount \
                 `authenticated_search` first",
            ),
        ),
        (disable("authenticated_search"), None),
        (disable("auth"), None),
    ] {
        let error = assistant.deliver(&signal).err();
        // with its cause, unless its own text has it
        let error = error.map(|error| {
            let cause = std::error::Error::source(&error);
            cause.map_or_else(|| error.to_string(), ToString::to_string)
        });
        assert_eq!(error.is_some(), refusal.is_some(), "{signal:?}: {error:?}");
        let says = |text: &str| error.as_ref().is_some_and(|error| error.ends_with(text));
        assert!(refusal.is_none_or(says), "{signal:?}: {error:?}");
    }
    assert_eq!(
        assistant.mounted().names().collect::<Vec<_>>(),
        ["http_client"]
    );

    let before = assistant.clone();
    let nameless = Signal::new("enable_skill", json!({}));
    let error = assistant.deliver(&nameless).unwrap_err();
    assert_eq!(
        error.source().unwrap().to_string(),
        "`skill` is missing: write the name of a skill"
    );
    assert_eq!(assistant, before);
}
