//! What holds whatever an agent is told: its name says the law, the values are made by proptest.

mod common;

use common::bank::*;
use common::drawer::{self, Desk};
use common::filled::{self, Filled};
use common::forms::Office;
use common::judge::Judge;
use common::mutation::{any_json, cases, mutated, mutation};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use skill_agent::prelude::*;
use std::sync::LazyLock;

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn a_failed_cmd_changes_nothing(mut bank in bank(), commands in prop::collection::vec(command(), 1..8)) {
        for command in commands {
            let before = everything(&bank);
            if command.clone().give(&mut bank).is_err() {
                prop_assert_eq!(&before, &everything(&bank), "{:?}", command);
            }
        }
    }

    #[test]
    fn a_failed_call_changes_nothing(
        mut bank in bank(),
        calls in prop::collection::vec((instruction(), prop::option::of(any::<Index>())), 1..8),
    ) {
        for (instruction, cut) in calls {
            let mut text = instruction.params.to_string();
            if let Some(cut) = cut {
                text.truncate(text.floor_char_boundary(cut.index(text.len())));
            }
            let before = everything(&bank);
            if bank.call_json(&instruction.action, &text).is_err() {
                prop_assert_eq!(&before, &everything(&bank), "{} of {}", instruction.action, text);
            }
        }
    }

    #[test]
    fn a_failed_run_changes_nothing(mut bank in bank(), batch in prop::collection::vec(instruction(), 1..8)) {
        let before = everything(&bank);
        if let Err(error) = bank.run(&batch) {
            prop_assert_eq!(&before, &everything(&bank));
            prop_assert_eq!(&error.action, &batch[error.index].action);
        }
    }

    #[test]
    fn a_failed_set_changes_nothing(mut bank in bank(), patch in patch()) {
        let before = everything(&bank);
        if bank.set(&patch).is_err() {
            prop_assert_eq!(before, everything(&bank));
        }
    }

    #[test]
    fn validate_says_what_set_and_from_state_json_do(patch in patch()) {
        let mut fresh = Bank::new();
        let set = fresh.set(&patch);
        prop_assert_eq!(Bank::validate(&patch), set.clone());
        match (set, Bank::from_state_json(&patch.to_string())) {
            (Ok(()), Ok(read)) => prop_assert_eq!(everything(&fresh), everything(&read)),
            (Err(one), Err(other)) => prop_assert_eq!(one, other),
            (set, read) => prop_assert!(false, "{:?} / {:?}", set, read),
        }
    }

    #[test]
    fn a_run_equals_its_parts(bank in bank(), batch in prop::collection::vec(instruction(), 0..6)) {
        let (mut whole, mut parts) = (bank.clone(), bank);
        let (mut outputs, mut directives) = (Vec::new(), Vec::new());
        let mut failed = None;
        for (index, one) in batch.iter().enumerate() {
            // internal actions are for `run` alone, so each part is a run of one
            match parts.run(std::slice::from_ref(one)) {
                Ok(mut done) => {
                    outputs.append(&mut done.output);
                    directives.append(&mut done.directives);
                }
                Err(error) => {
                    failed = Some((index, error.source.to_string()));
                    break;
                }
            }
        }
        match whole.run(&batch) {
            Ok(done) => {
                prop_assert_eq!(failed, None);
                prop_assert_eq!(done.output, outputs);
                prop_assert_eq!(done.directives, directives);
                prop_assert_eq!(everything(&whole), everything(&parts));
            }
            Err(error) => prop_assert_eq!(failed, Some((error.index, error.source.to_string()))),
        }
    }

    #[test]
    fn a_call_equals_a_run_of_one(bank in bank(), instruction in instruction()) {
        let (mut called, mut run) = (bank.clone(), bank);
        match called.call_json(&instruction.action, &instruction.params.to_string()) {
            Ok(done) => {
                let one = run.run(std::slice::from_ref(&instruction)).unwrap();
                prop_assert_eq!(serde_json::from_str::<Value>(&done.output).unwrap(), one.output[0].clone());
                prop_assert_eq!(done.directives, one.directives);
            }
            Err(CallError::Internal { .. }) => return Ok(()),
            Err(error) => {
                let other = run.run(std::slice::from_ref(&instruction)).unwrap_err();
                prop_assert_eq!(error.to_string(), other.source.to_string());
            }
        }
        prop_assert_eq!(everything(&called), everything(&run));
    }

    #[test]
    fn typed_and_json_calls_agree(bank in bank(), command in command()) {
        let Some(instruction) = command.instruction() else { return Ok(()) };
        let (mut typed, mut named) = (bank.clone(), bank);
        let answer = command.clone().give(&mut typed);
        match (answer, named.run(&[instruction])) {
            (Ok((output, directives)), Ok(done)) => {
                prop_assert_eq!(read(&output), done.output[0].clone());
                prop_assert_eq!(directives, done.directives);
                prop_assert_eq!(everything(&typed), everything(&named));
            }
            (Err(text), Err(error)) => {
                prop_assert!(error.source.action_error().is_some());
                prop_assert_eq!(text, error.source.to_string());
                prop_assert_eq!(everything(&typed), everything(&named));
            }
            // Typed code may answer NaN, JSON cannot.
            (Ok((output, _)), Err(error)) if output.contains("NaN") || output.contains("inf") => {
                prop_assert!(matches!(error.source, CallError::Output { .. }), "{}", error);
            }
            // What `length` says is checked where arguments are read; typed code is taken at its word.
            (Ok(_), Err(error)) if matches!(&command, Command::Remember(_, key, _) if !(1..=8).contains(&key.len())) => {
                prop_assert!(matches!(error.source, CallError::Arguments { .. }), "{}", error);
            }
            (answer, run) => prop_assert!(false, "{:?} / {:?}", answer, run),
        }
    }
}

/// A state with some of it missing, wrong, or not of a bank.
fn patch() -> impl Strategy<Value = Value> {
    let state = bank().prop_filter_map("JSON has no NaN", |bank| bank.state_value().ok());
    prop_oneof![4 => mutated(state, mutation()), 1 => any_json()]
}

/// What Rust prints of an answer of these actions is JSON.
fn read(printed: &str) -> Value {
    serde_json::from_str(printed).unwrap_or_else(|error| panic!("{printed}: {error}"))
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn state_to_json_to_state_is_the_identity(
        amounts in prop::collection::vec(any::<u64>().prop_map(f64::from_bits), 1..8),
        limit in any::<u64>().prop_map(f64::from_bits),
        texts in prop::collection::btree_map(any::<String>(), any::<String>(), 0..3),
        motto in any::<Option<String>>(),
        people in any::<u32>(),
    ) {
        let finite = |float: &f64| float.is_finite();
        let amounts: Vec<f64> = amounts.into_iter().filter(finite).collect();
        let limit = Some(limit).filter(finite).unwrap_or(-0.0);
        let entry = |amount: &f64| Entry { amount: *amount, kind: Kind::Share { people }, notes: texts.clone() };
        let account = Account {
            limit,
            balance: amounts.last().copied().unwrap_or(5e-324),
            entries: amounts.iter().map(entry).collect(),
            last: amounts.first().map(entry),
        };
        let mut bank = Bank::new();
        bank.set(&json!({ "account": account, "motto": motto })).unwrap();

        prop_assert_eq!(bits(&bank.state().account), bits(&account)); // `set` has lost nothing either
        for text in [bank.state_value().unwrap().to_string(), serde_json::to_string(bank.state()).unwrap()] {
            let again = Bank::from_state_json(&text).unwrap();
            prop_assert_eq!(again.state(), bank.state());
            prop_assert_eq!(bits(&again.state().account), bits(&account));
        }
    }
}

/// The bits of every float of an account.
fn bits(account: &Account) -> Vec<u64> {
    let entries = account.entries.iter().chain(&account.last);
    [account.limit, account.balance]
        .into_iter()
        .chain(entries.map(|entry| entry.amount))
        .map(f64::to_bits)
        .collect()
}

static FORMS: LazyLock<Vec<(Filled, Judge)>> = LazyLock::new(|| {
    let judge = |form: &Filled| {
        let tool = Office::tools().iter().find(|tool| tool.name == form.action);
        Judge::that_knows_integers(tool.expect("every form is there").input_schema())
    };
    let judged = |form| {
        let judge = judge(&form);
        (form, judge)
    };
    filled::all().into_iter().map(judged).collect()
});

static STATE: LazyLock<Judge> =
    LazyLock::new(|| Judge::that_knows_integers(Bank::schema().as_value()));

static DESK: LazyLock<Judge> =
    LazyLock::new(|| Judge::that_knows_integers(Desk::schema().as_value()));

static CONFIG: LazyLock<Judge> = LazyLock::new(|| {
    let schema = Bank::skills()[0]
        .config_schema
        .expect("a derived skill has one");
    Judge::that_knows_integers(schema())
});

fn form_and_arguments() -> impl Strategy<Value = (usize, Value)> {
    (0..FORMS.len()).prop_flat_map(|form| {
        let right = prop::sample::select(FORMS[form].0.right.clone());
        (Just(form), mutated(right, mutation()))
    })
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn the_schema_of_arguments_accepts_exactly_what_serde_accepts((form, arguments) in form_and_arguments()) {
        let (form, judge) = &FORMS[form];
        let text = Office::new().call_json(form.action, &arguments.to_string());
        let value = Office::new().run(&[Instruction::new(form.action, arguments.clone())]);
        prop_assert_eq!(text.is_ok(), value.is_ok(), "{}: {}", form.action, arguments);
        prop_assert_eq!(
            judge.accepts(&arguments), text.is_ok(),
            "{}: {}\n schema: {}\n reader: {:?}", form.action, arguments, judge.verdict(&arguments), text.map_err(|e| e.to_string())
        );
    }

    // A document is laid over a fresh state, so no key has to be there.
    #[test]
    fn the_schema_of_the_state_accepts_exactly_what_serde_accepts(state in mutated(whole_state(), mutation())) {
        let read = Bank::validate(&state);
        prop_assert_eq!(
            STATE.accepts(&state), read.is_ok(),
            "{}\n schema: {}\n reader: {:?}", state, STATE.verdict(&state), read.map_err(|e| e.to_string())
        );
    }

    #[test]
    fn the_schema_of_a_state_of_everything_accepts_exactly_what_serde_accepts(
        contents in mutated(Just(drawer::full()), mutation()),
        on_top in any::<bool>(),
    ) {
        let state = match on_top {
            true => json!({ "top": contents }),
            false => json!({ "drawer": { "contents": contents } }),
        };
        let read = Desk::validate(&state);
        prop_assert_eq!(
            DESK.accepts(&state), read.is_ok(),
            "{}\n schema: {}\n reader: {:?}", state, DESK.verdict(&state), read.map_err(|e| e.to_string())
        );
    }

    #[test]
    fn the_schema_of_a_config_accepts_exactly_what_serde_accepts(config in mutated(whole_config(), mutation())) {
        let read = Bank::builder().config_value(&json!({ "account": config }));
        prop_assert_eq!(
            CONFIG.accepts(&config), read.is_ok(),
            "{}\n schema: {}\n reader: {:?}", config, CONFIG.verdict(&config), read.map(drop).map_err(|e| e.to_string())
        );
    }
}

fn whole_state() -> impl Strategy<Value = Value> {
    bank().prop_filter_map("JSON has no NaN", |bank| bank.state_value().ok())
}

fn whole_config() -> impl Strategy<Value = Value> {
    Just(json!({ "limit": -10.5, "currency": "CHF", "rates": { "EUR": 0.5, "USD": 2.5 } }))
}

#[test]
fn the_schema_of_the_state_refuses_the_unknown_keys_that_the_reader_refuses() {
    for state in [
        json!({ "opne": true }),
        json!({ "account": { "balanse": 1 } }),
        json!({ "savings": { "last": { "amuont": 1 } } }),
        json!({ "account": { "entries": [{ "knid": "deposit" }] } }),
    ] {
        assert!(Bank::validate(&state).is_err(), "{state}");
        assert!(!STATE.accepts(&state), "the schema accepts {state}");
    }
}

#[test]
fn the_schema_of_a_config_refuses_the_unknown_keys_that_the_reader_refuses() {
    let config = json!({ "limti": 1 });
    let read = Bank::builder().config_value(&json!({ "account": config }));
    assert!(read.is_err());
    assert!(!CONFIG.accepts(&config), "the schema accepts {config}");
}

// `Answer` is `#[serde(tag = "kind", content = "value")]`. In its schema an enum with tag and content cannot be told from one
// with a tag alone whose variants have one field, which serde leaves open; so the schema takes more here than the reader.
#[test]
fn the_schema_of_an_enum_with_tag_and_content_takes_what_the_reader_takes() {
    let with = |answer: Value| json!({ "drawer": { "contents": { "answer": answer } } });
    let known = with(json!({ "kind": "Count", "value": 3 }));
    assert!(Desk::validate(&known).is_ok() && DESK.accepts(&known));
    let unknown = with(json!({ "kind": "Count", "value": 3, "valu": 3 }));
    let error = Desk::validate(&unknown).unwrap_err().to_string();
    assert!(error.contains("expected `kind` or `value`"), "{error}");
}
