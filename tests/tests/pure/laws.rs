//! Laws of agents, checked with generated values. The name of each test states its law.

use crate::common::account_agent::*;
use crate::common::argument_cases::{self, ArgumentCases};
use crate::common::argument_kinds::ArgumentAgent;
use crate::common::json_mutation::{any_json, cases, mutated, mutation};
use crate::common::schema_validator::SchemaValidator;
use crate::common::serde_shapes::{self, SerdeShapesAgent};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use skill_agent::prelude::*;
use std::sync::LazyLock;

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn a_failed_command_changes_nothing(mut agent in any_agent(), commands in prop::collection::vec(any_command(), 1..8)) {
        for command in commands {
            let before = debug_dump(&agent);
            if command.clone().execute(&mut agent).is_err() {
                prop_assert_eq!(&before, &debug_dump(&agent), "{:?}", command);
            }
        }
    }

    #[test]
    fn a_failed_call_changes_nothing(
        mut agent in any_agent(),
        calls in prop::collection::vec((any_instruction(), prop::option::of(any::<Index>())), 1..8),
    ) {
        for (instruction, cut) in calls {
            let mut text = instruction.params.to_string();
            if let Some(cut) = cut {
                text.truncate(text.floor_char_boundary(cut.index(text.len())));
            }
            let before = debug_dump(&agent);
            if agent.call_json(&instruction.action, &text).is_err() {
                prop_assert_eq!(&before, &debug_dump(&agent), "{} of {}", instruction.action, text);
            }
        }
    }

    #[test]
    fn a_failed_run_changes_nothing(mut agent in any_agent(), batch in prop::collection::vec(any_instruction(), 1..8)) {
        let before = debug_dump(&agent);
        if let Err(error) = agent.run(&batch) {
            prop_assert_eq!(&before, &debug_dump(&agent));
            prop_assert_eq!(&error.action, &batch[error.index].action);
        }
    }

    #[test]
    fn a_failed_set_changes_nothing(mut agent in any_agent(), patch in any_patch()) {
        let before = debug_dump(&agent);
        if agent.set(&patch).is_err() {
            prop_assert_eq!(before, debug_dump(&agent));
        }
    }

    #[test]
    fn validate_agrees_with_set_and_from_state_json(state in any_patch()) {
        let read = AccountAgent::from_state_json(&state.to_string());
        prop_assert_eq!(AccountAgent::validate(&state), read.clone().map(drop));
        // in a new agent, which has no entry in a map, a patch differs from a state only where it removes one
        if !removes_a_note(&state) {
            let mut fresh = AccountAgent::new();
            match (fresh.set(&state), read) {
                (Ok(()), Ok(read)) => prop_assert_eq!(debug_dump(&fresh), debug_dump(&read)),
                (Err(one), Err(other)) => prop_assert_eq!(one, other),
                (set, read) => prop_assert!(false, "{:?} / {:?}", set, read),
            }
        }
    }

    #[test]
    fn a_run_equals_its_instructions_run_one_by_one(agent in any_agent(), batch in prop::collection::vec(any_instruction(), 0..6)) {
        let (mut whole, mut parts) = (agent.clone(), agent);
        let (mut outputs, mut directives) = (Vec::new(), Vec::new());
        let mut failed = None;
        for (index, one) in batch.iter().enumerate() {
            // `call_json` refuses internal actions, so each instruction is a run of one
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
                prop_assert_eq!(debug_dump(&whole), debug_dump(&parts));
            }
            Err(error) => prop_assert_eq!(failed, Some((error.index, error.source.to_string()))),
        }
    }

    #[test]
    fn a_call_equals_a_run_of_one_instruction(agent in any_agent(), instruction in any_instruction()) {
        let (mut called, mut run) = (agent.clone(), agent);
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
        prop_assert_eq!(debug_dump(&called), debug_dump(&run));
    }

    #[test]
    fn a_typed_command_agrees_with_the_same_instruction(agent in any_agent(), command in any_command()) {
        let Some(instruction) = command.instruction() else { return Ok(()) };
        let (mut typed, mut named) = (agent.clone(), agent);
        let answer = command.clone().execute(&mut typed);
        match (answer, named.run(&[instruction])) {
            (Ok((output, directives)), Ok(done)) => {
                prop_assert_eq!(read(&output), done.output[0].clone());
                prop_assert_eq!(directives, done.directives);
                prop_assert_eq!(debug_dump(&typed), debug_dump(&named));
            }
            (Err(text), Err(error)) => {
                prop_assert!(error.source.action_error().is_some());
                prop_assert_eq!(text, error.source.to_string());
                prop_assert_eq!(debug_dump(&typed), debug_dump(&named));
            }
            // A typed output may be NaN, JSON cannot hold it.
            (Ok((output, _)), Err(error)) if output.contains("NaN") || output.contains("inf") => {
                prop_assert!(matches!(error.source, CallError::Output { .. }), "{}", error);
            }
            // `length` is checked when arguments are read; typed arguments are not checked.
            (Ok(_), Err(error)) if matches!(&command, Command::Remember(_, key, _) if !(1..=8).contains(&key.len())) => {
                prop_assert!(matches!(error.source, CallError::Arguments { .. }), "{}", error);
            }
            (answer, run) => prop_assert!(false, "{:?} / {:?}", answer, run),
        }
    }
}

/// A state with missing, wrong or unknown parts.
fn any_patch() -> impl Strategy<Value = Value> {
    let state = any_agent().prop_filter_map("JSON has no NaN", |agent| agent.state_value().ok());
    prop_oneof![4 => mutated(state, mutation()), 1 => any_json()]
}

/// Whether a patch has `null` in the only map of the state.
fn removes_a_note(patch: &Value) -> bool {
    ["account", "savings"].iter().any(|account| {
        let notes = patch[account]["last"]["notes"].as_object();
        notes.is_some_and(|notes| notes.values().any(Value::is_null))
    })
}

/// Parses a printed output as JSON. The debug format of these outputs is valid JSON.
fn read(printed: &str) -> Value {
    serde_json::from_str(printed).unwrap_or_else(|error| panic!("{printed}: {error}"))
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn a_state_written_as_json_and_read_again_is_the_same(
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
        let mut agent = AccountAgent::new();
        agent.set(&json!({ "account": account, "motto": motto })).unwrap();

        prop_assert_eq!(bits(&agent.state().account), bits(&account)); // `set` keeps every bit too
        for text in [agent.state_value().unwrap().to_string(), serde_json::to_string(agent.state()).unwrap()] {
            let again = AccountAgent::from_state_json(&text).unwrap();
            prop_assert_eq!(again.state(), agent.state());
            prop_assert_eq!(bits(&again.state().account), bits(&account));
        }
    }
}

/// Returns the bits of every float of an account.
fn bits(account: &Account) -> Vec<u64> {
    let entries = account.entries.iter().chain(&account.last);
    [account.limit, account.balance]
        .into_iter()
        .chain(entries.map(|entry| entry.amount))
        .map(f64::to_bits)
        .collect()
}

static CASES: LazyLock<Vec<(ArgumentCases, SchemaValidator)>> = LazyLock::new(|| {
    let validator = |case: &ArgumentCases| {
        let tool = ArgumentAgent::tools()
            .iter()
            .find(|tool| tool.name == case.action);
        SchemaValidator::with_integer_limits(tool.expect("every action has a tool").input_schema())
    };
    let with_validator = |case| {
        let validator = validator(&case);
        (case, validator)
    };
    argument_cases::all()
        .into_iter()
        .map(with_validator)
        .collect()
});

static STATE_SCHEMA: LazyLock<SchemaValidator> =
    LazyLock::new(|| SchemaValidator::with_integer_limits(AccountAgent::schema().as_value()));

static SHAPES_SCHEMA: LazyLock<SchemaValidator> =
    LazyLock::new(|| SchemaValidator::with_integer_limits(SerdeShapesAgent::schema().as_value()));

static CONFIG_SCHEMA: LazyLock<SchemaValidator> = LazyLock::new(|| {
    let schema = AccountAgent::skills()[0]
        .config_schema
        .expect("a derived skill has one");
    SchemaValidator::with_integer_limits(schema())
});

fn case_and_arguments() -> impl Strategy<Value = (usize, Value)> {
    (0..CASES.len()).prop_flat_map(|case| {
        let valid = prop::sample::select(CASES[case].0.valid.clone());
        (Just(case), mutated(valid, mutation()))
    })
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn the_schema_of_arguments_accepts_exactly_what_serde_accepts((case, arguments) in case_and_arguments()) {
        let (case, validator) = &CASES[case];
        let text = ArgumentAgent::new().call_json(case.action, &arguments.to_string());
        let value = ArgumentAgent::new().run(&[Instruction::new(case.action, arguments.clone())]);
        prop_assert_eq!(text.is_ok(), value.is_ok(), "{}: {}", case.action, arguments);
        prop_assert_eq!(
            validator.accepts(&arguments), text.is_ok(),
            "{}: {}\n schema: {}\n reader: {:?}", case.action, arguments, validator.explain(&arguments), text.map_err(|e| e.to_string())
        );
    }

    // Fields of structs may be missing, so no key is required.
    #[test]
    fn the_schema_of_the_state_accepts_exactly_what_serde_accepts(state in mutated(valid_state(), mutation())) {
        let read = AccountAgent::validate(&state);
        prop_assert_eq!(
            STATE_SCHEMA.accepts(&state), read.is_ok(),
            "{}\n schema: {}\n reader: {:?}", state, STATE_SCHEMA.explain(&state), read.map_err(|e| e.to_string())
        );
    }

    #[test]
    fn the_schema_of_a_state_with_every_shape_accepts_exactly_what_serde_accepts(
        values in mutated(Just(serde_shapes::valid_values()), mutation()),
        on_top in any::<bool>(),
    ) {
        let state = if on_top { json!({ "top": values }) } else { json!({ "serde_shapes": { "values": values } }) };
        let read = SerdeShapesAgent::validate(&state);
        prop_assert_eq!(
            SHAPES_SCHEMA.accepts(&state), read.is_ok(),
            "{}\n schema: {}\n reader: {:?}", state, SHAPES_SCHEMA.explain(&state), read.map_err(|e| e.to_string())
        );
    }

    #[test]
    fn the_schema_of_a_config_accepts_exactly_what_serde_accepts(config in mutated(valid_config(), mutation())) {
        let read = AccountAgent::builder().config_value(&json!({ "account": config }));
        prop_assert_eq!(
            CONFIG_SCHEMA.accepts(&config), read.is_ok(),
            "{}\n schema: {}\n reader: {:?}", config, CONFIG_SCHEMA.explain(&config), read.map(drop).map_err(|e| e.to_string())
        );
    }
}

fn valid_state() -> impl Strategy<Value = Value> {
    any_agent().prop_filter_map("JSON has no NaN", |agent| agent.state_value().ok())
}

fn valid_config() -> impl Strategy<Value = Value> {
    Just(json!({ "limit": -10.5, "currency": "CHF", "rates": { "EUR": 0.5, "USD": 2.5 } }))
}

#[test]
fn the_schema_of_the_state_refuses_unknown_keys() {
    for state in [
        json!({ "opne": true }),
        json!({ "account": { "balanse": 1 } }),
        json!({ "savings": { "last": { "amuont": 1 } } }),
        json!({ "account": { "entries": [{ "knid": "deposit" }] } }),
    ] {
        assert!(AccountAgent::validate(&state).is_err(), "{state}");
        assert!(!STATE_SCHEMA.accepts(&state), "the schema accepts {state}");
    }
}

#[test]
fn the_schema_of_a_config_refuses_unknown_keys() {
    let config = json!({ "limti": 1 });
    let read = AccountAgent::builder().config_value(&json!({ "account": config }));
    assert!(read.is_err());
    assert!(
        !CONFIG_SCHEMA.accepts(&config),
        "the schema accepts {config}"
    );
}

// `Answer` is `#[serde(tag = "kind", content = "value")]`. Its schema cannot be distinguished from that of an enum with a
// tag alone whose variants have one field, which serde leaves open. The schema therefore accepts more than the reader.
#[test]
fn the_schema_of_an_enum_with_tag_and_content_accepts_what_the_reader_accepts() {
    let with = |answer: Value| json!({ "serde_shapes": { "values": { "answer": answer } } });
    let known = with(json!({ "kind": "Count", "value": 3 }));
    assert!(SerdeShapesAgent::validate(&known).is_ok() && SHAPES_SCHEMA.accepts(&known));
    let unknown = with(json!({ "kind": "Count", "value": 3, "valu": 3 }));
    let error = SerdeShapesAgent::validate(&unknown)
        .unwrap_err()
        .to_string();
    assert!(error.contains("expected `kind` or `value`"), "{error}");
}
