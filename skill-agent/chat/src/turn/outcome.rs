//! The outcome of a call, as events and errors.

use super::running::CallResult;
use crate::{CallPart, Called, Event, PendingCall, Progress, Stop};
use serde_json::Value;
use skill_agent_models::Repair;
use skill_agent_server::{Applied, ApprovalRequest};
use skill_agent_toolbox::ToolError;

/// Returns the event for a call's progress.
pub(super) fn progress(call: &CallPart, value: Value) -> Event {
    Event::Progress(Progress {
        id: call.id.clone(),
        name: call.call.name.clone(),
        value,
    })
}

pub(super) fn panicked(tool: &str) -> ToolError {
    let message = format!("`{tool}` panicked; the call may have been applied");
    ToolError::failed(tool, message, Applied::Unknown)
}

/// Returns the error for a call that was interrupted while it ran.
pub(super) fn interrupted(tool: &str, stop: Stop) -> ToolError {
    let message = format!("it was interrupted, {}", reason(stop));
    ToolError::failed(tool, message, Applied::Unknown)
}

pub(super) fn called(call: &CallPart, result: CallResult, repairs: Vec<Repair>) -> Called {
    Called {
        id: call.id.clone(),
        name: call.call.name.clone(),
        arguments: call.call.arguments.clone(),
        repairs,
        result,
    }
}

/// Returns the calls that wait for approval according to a result: the call itself, or the calls inside it.
pub(super) fn pending(call: &str, result: &CallResult) -> Vec<PendingCall> {
    let waiting = |id: String, request: &ApprovalRequest| PendingCall {
        id,
        request: request.clone(),
        call: call.to_owned(),
    };
    match result {
        Err(ToolError::Pending(request)) => vec![waiting(call.to_owned(), request)],
        Err(ToolError::PendingInside(pending)) => {
            let requests = pending.requests.iter();
            let inside =
                |request: &ApprovalRequest| waiting(format!("{call}/{}", request.id), request);
            requests.map(inside).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns why calls were interrupted, for an error.
pub(super) fn reason(stop: Stop) -> &'static str {
    match stop {
        Stop::Aborted => "because another call was aborted",
        Stop::Time => "because the limit of time is reached",
        _ => "because the turn was cancelled",
    }
}
