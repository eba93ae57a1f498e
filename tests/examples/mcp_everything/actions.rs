//! The tools of the suite that are actions. The tools that ask a person are destructive actions, which the client approves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

/// Tools with text as their output.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "tests",
    actions(
        TestSimpleText,
        TestErrorHandling,
        TestToolWithProgress,
        TestLoggingTool,
        TestTwoArguments,
        TestElicitation,
        TestStreamingElicitation,
        TestInputRequiredResultRequestState,
        TestInputRequiredResultTamperedState
    )
)]
pub struct Tests {}

/// A text.
#[action]
pub fn test_simple_text(_: &Tests) -> String {
    "This is a simple text response for testing.".to_owned()
}

/// An error.
#[action]
pub fn test_error_handling(_: &Tests) -> Result<String, String> {
    Err("This tool intentionally returns an error for testing".to_owned())
}

/// A call that reports progress three times.
#[action]
pub async fn test_tool_with_progress(_: &Tests, cx: &mut Context<Tests>) -> String {
    for progress in [0, 50, 100] {
        cx.progress(json!({ "progress": progress, "total": 100 }));
    }
    "done".to_owned()
}

/// A call during which no client gets a log message, because the server has no logging.
#[action]
pub fn test_logging_tool(_: &Tests) -> String {
    "not logged".to_owned()
}

/// The arguments of a prompt.
#[action]
pub fn test_two_arguments(_: &Tests, arg1: String, arg2: String) -> String {
    format!("{arg1}, {arg2}")
}

/// A call that asks a client of the earlier era.
#[action(destructive)]
pub fn test_elicitation(_: &mut Tests, message: String) -> String {
    message
}

/// A call that asks during its response.
#[action(destructive)]
pub fn test_streaming_elicitation(_: &mut Tests) -> String {
    "approved".to_owned()
}

/// A call that asks, with a state that the client sends back.
#[action(destructive)]
pub fn test_input_required_result_request_state(_: &mut Tests) -> String {
    "state-ok".to_owned()
}

/// A call that asks, with a state that the client changes.
#[action(destructive)]
pub fn test_input_required_result_tampered_state(_: &mut Tests) -> String {
    "state-ok".to_owned()
}

agent! {
    pub struct Suite {
        name: "everything",
        version: "1.0.0",
        skills: [Tests],
    }
}
