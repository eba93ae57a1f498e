//! Calls that must fail without changing the agent.

use super::argument_kinds::ArgumentAgent;
use serde_json::Value;
use skill_agent::core::ReadError;
use skill_agent::prelude::*;

/// Returns the error of a call, after checking that the agent did not change.
#[track_caller]
pub fn call_error<A: Agent + PartialEq>(mut agent: A, action: &str, arguments: &str) -> CallError {
    let before = agent.clone();
    let error = match agent.call_json(action, arguments) {
        Ok(done) => panic!("{action} accepted {arguments} and returned {}", done.output),
        Err(error) => error,
    };
    assert!(agent == before, "{action} changed the agent");
    error
}

/// Returns the path and the message of the first problem with the arguments. Text and `Value` must give the same.
#[track_caller]
pub fn argument_problem(action: &str, arguments: &Value) -> (String, String) {
    let by_text = match call_error(ArgumentAgent::new(), action, &arguments.to_string()) {
        CallError::Arguments { source, .. } => first(&source),
        other => panic!("{other:?}"),
    };
    let instruction = Instruction::new(action.to_owned(), arguments.clone());
    match ArgumentAgent::new().run(&[instruction]).unwrap_err().source {
        CallError::Arguments { source, .. } => {
            assert_eq!(
                by_text,
                first(&source),
                "text and value have the same problem"
            )
        }
        other => panic!("{other:?}"),
    }
    by_text
}

/// The path and the message of the first problem.
fn first(error: &ReadError) -> (String, String) {
    let problem = &error.problems()[0];
    (problem.path.clone(), problem.message.clone())
}
