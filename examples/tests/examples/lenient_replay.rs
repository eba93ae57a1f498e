//! The recorded conversations of `tool_calls --replay`, read strictly and leniently, as they are and as a careless model writes them.

use crate::oracle::oracle;
use serde_json::{Map, Value};
use skill_agent::prelude::*;
use skill_agent::server::ApprovalRequest;
use skill_agent::toolbox::{ToolError, Toolbox};
use skill_examples::replay::{Scenario, reference, scenarios};

/// How arguments are written.
type Form = fn(&Map<String, Value>) -> String;

fn text(arguments: &Map<String, Value>) -> String {
    Value::Object(arguments.clone()).to_string()
}

/// With some of the values as JSON text.
fn as_text(arguments: &Map<String, Value>, is_meant: fn(&Value) -> bool) -> String {
    let written = |(key, value): (&String, &Value)| {
        let value = if is_meant(value) {
            Value::from(value.to_string())
        } else {
            value.clone()
        };
        (key.clone(), value)
    };
    text(&arguments.iter().map(written).collect())
}

const FORMS: [(&str, Form); 6] = [
    ("as recorded", text),
    ("lists and objects as text", |arguments| {
        as_text(arguments, |value| value.is_array() || value.is_object())
    }),
    ("numbers and booleans as text", |arguments| {
        as_text(arguments, |value| value.is_number() || value.is_boolean())
    }),
    ("a trailing comma", |arguments| {
        let text = text(arguments);
        match arguments.len() {
            0 => text,
            _ => text.replace('}', ",}"),
        }
    }),
    ("in a fence", |arguments| {
        format!("```json\n{}\n```", text(arguments))
    }),
    ("all of it as text", |arguments| {
        Value::from(text(arguments)).to_string()
    }),
];

#[derive(Debug, Default, PartialEq)]
struct Verdicts {
    /// The answers that a direct call with the recorded arguments gives too.
    same: usize,
    /// The calls that ran and have another answer.
    other: usize,
    /// The calls whose arguments were refused.
    refused: usize,
    /// The scenarios that end in the same state.
    states: usize,
}

async fn replay(scenario: &Scenario, form: Form, lenient: bool, verdicts: &mut Verdicts) {
    let mut direct = reference::workbench(&scenario.initial_config).unwrap();
    let builder = AgentServer::builder(direct.clone());
    let builder = builder.approver(|_: ApprovalRequest| async { true });
    let server = builder.start().await.unwrap();
    let session = Toolbox::of(&server).session(ForeignCaller::Model);
    let session = session.lenient(lenient);
    for call in scenario.turns.iter().flatten() {
        let expected = direct.call_json(&call.action, &text(&call.arguments));
        let expected = expected
            .map(|called| called.output)
            .map_err(|error| error.to_string());
        let found = session.call(&call.action, &form(&call.arguments)).await;
        match &found {
            Ok(output) if expected.as_ref() == Ok(&output.text().into_owned()) => {
                verdicts.same += 1
            }
            Err(error) if expected.as_ref() == Err(&error.to_string()) => verdicts.same += 1,
            Err(ToolError::Arguments { .. }) => verdicts.refused += 1,
            other => {
                println!(
                    "{}: {}{}: {other:?}, not {expected:?}",
                    scenario.id,
                    call.action,
                    text(&call.arguments)
                );
                verdicts.other += 1;
            }
        }
    }
    let found = server.agent().await.unwrap().state_value().unwrap();
    verdicts.states += usize::from(found == direct.state_value().unwrap());
}

#[tokio::test]
async fn lenient_reading_repairs_what_careless_models_write_and_nothing_else() {
    let Some(recorded) = oracle("bfcl/replay") else {
        return;
    };
    let scenarios = scenarios(&recorded.to_string()).unwrap();
    let mut rows = Vec::new();
    for (name, form) in FORMS {
        let mut row = Vec::new();
        for lenient in [false, true] {
            let mut verdicts = Verdicts::default();
            for scenario in &scenarios {
                replay(scenario, form, lenient, &mut verdicts).await;
            }
            row.push(verdicts);
        }
        rows.push((name, row));
    }
    println!(
        "arguments                     |        strict: same, other, refused, states |       lenient"
    );
    for (name, row) in &rows {
        print!("{name:<30}");
        for Verdicts {
            same,
            other,
            refused,
            states,
        } in row
        {
            print!("| {same:>5} {other:>5} {refused:>5} {states:>5} ");
        }
        println!();
    }
    let (_, recorded) = &rows[0];
    assert_eq!((recorded[0].other, recorded[0].refused), (0, 0));
    for (name, row) in &rows[1..] {
        assert_eq!(
            row[1], recorded[1],
            "{name}: lenient reading finds what is meant"
        );
    }
}
