//! The recorded conversations of `tool_calls --replay`, through a chat with a scripted model.

use crate::oracle::oracle;
use serde_json::Value;
use skill_agent::chat::{Chat, Limits, Scripted, Stop};
use skill_agent::prelude::*;
use skill_agent::server::ApprovalRequest;
use skill_agent::toolbox::Toolbox;
use skill_examples::replay::{RecordedCall, Report, Scenario, reference, scenarios};

/// How many calls are in one completion.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Completions {
    OfOneCall,
    OfAllCalls,
}

fn script(scenario: &Scenario, completions: Completions) -> Scripted {
    let written = |call: &RecordedCall| {
        let arguments = Value::Object(call.arguments.clone());
        (call.action.clone(), arguments)
    };
    let mut model = Scripted::new();
    for turn in &scenario.turns {
        if completions == Completions::OfAllCalls && !turn.is_empty() {
            model = model.calls(turn.iter().map(written));
        } else {
            for call in turn {
                model = model.calls([written(call)]);
            }
        }
        model = model.text("Done.");
    }
    model
}

/// The answers of a scenario and its final state, as calls by name give them.
fn expected(scenario: &Scenario) -> (Vec<Result<String, String>>, Value) {
    let mut agent = reference::workbench(&scenario.initial_config).unwrap();
    let calls = scenario.turns.iter().flatten();
    let answers = calls.map(|call| {
        let arguments = Value::Object(call.arguments.clone()).to_string();
        let called = agent.call_json(&call.action, &arguments);
        let called = called.map(|called| called.output);
        called.map_err(|error| match error {
            CallError::Arguments { source, .. } => source.to_string(),
            other => other.to_string(),
        })
    });
    let answers = answers.collect();
    (answers, agent.state_value().unwrap())
}

async fn replay(scenario: &Scenario, completions: Completions) -> usize {
    let agent = reference::workbench(&scenario.initial_config).unwrap();
    let builder = AgentServer::builder(agent).approver(|_: ApprovalRequest| async { true });
    let server = builder.start().await.unwrap();
    let model = script(scenario, completions);
    let mut chat = Chat::builder(model, Toolbox::of(&server))
        .limits(Limits::default().identical_calls(usize::MAX))
        // the recorded answers name mistakes that a lenient chat repairs
        .lenient(false)
        .build()
        .unwrap();
    let (expected, state) = expected(scenario);
    let mut answers = Vec::new();
    for _ in &scenario.turns {
        let turn = chat.send("Go on.").await.unwrap();
        assert_eq!(turn.stop, Stop::Answered);
        answers.extend(turn.calls.into_iter().map(|call| call.result));
    }
    assert_eq!(answers.len(), expected.len());
    for (answer, expected) in answers.iter().zip(&expected) {
        match (answer, expected) {
            (Ok(output), Ok(expected)) => assert_eq!(output.text(), *expected),
            (Err(error), Err(expected)) => {
                let error = error.to_string();
                assert!(error.ends_with(expected), "{error}\nis not\n{expected}");
            }
            (answer, expected) => panic!("{answer:?} is not {expected:?}"),
        }
    }
    let found = server.agent().await.unwrap().state_value().unwrap();
    assert_eq!(found, state, "{}", scenario.id);
    answers.len()
}

#[tokio::test]
async fn recorded_conversations_are_the_same_through_a_chat() {
    let Some(recorded) = oracle("bfcl/replay") else {
        return;
    };
    let scenarios = scenarios(&recorded.to_string()).unwrap();
    // the direct calls, with which the chat is compared, give the answers and states of the record
    assert!(Report::of(&scenarios).is_equal());
    for completions in [Completions::OfOneCall, Completions::OfAllCalls] {
        let mut answers = 0;
        for scenario in &scenarios {
            answers += replay(scenario, completions).await;
        }
        let count = scenarios.len();
        println!(
            "{completions:?}: {count} scenarios, {answers} answers and {count} end states are equal"
        );
        assert!(count >= 30 && answers > 100);
    }
}
