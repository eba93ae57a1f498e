//! The JSON of conversations for clients. It has no reasoning, tool outputs or provider errors.

use axum::http::StatusCode;
use serde_json::{Value, json};
use skill_agent::chat::{
    CallPart, ChatError, ConversationInfo, ConversationPage, Event, Message, MessagePart,
    PendingCall, Role, Stop,
};
use skill_agent::toolbox::{ToolError, ToolOutput};
use std::sync::Arc;

/// The name and the data of an event.
pub(crate) type Shown = (&'static str, Value);

/// Returns an entry of the list.
pub(crate) fn info(info: &ConversationInfo, prefix: &str) -> Value {
    let chat = info.id.strip_prefix(prefix);
    json!({ "chat": chat, "title": info.title, "turns": info.turns, "status": info.status })
}

/// Returns the history as the events that showed it, so that the client shows both in the same way.
pub(crate) fn history(page: &ConversationPage) -> Vec<Shown> {
    let messages = page.history.iter().flat_map(message);
    messages.chain(page.pending.iter().map(approval)).collect()
}

fn message(message: &Message) -> Vec<Shown> {
    let mut events: Vec<_> = match message.role {
        Role::User => vec![("said", json!(message.text()))],
        _ => message.parts.iter().filter_map(part).collect(),
    };
    events.push(("step", Value::Null));
    events
}

fn part(part: &MessagePart) -> Option<Shown> {
    match part {
        MessagePart::Text(text) => Some(("text", json!(text.text))),
        MessagePart::Call(call) => Some(calling(call)),
        MessagePart::Result(result) => called(&result.id, &result.result),
        _ => None,
    }
}

/// Returns an event of a turn. The last one of a turn is `done` or `failed`.
pub(crate) fn event(event: Result<Event, Arc<ChatError>>) -> Option<Shown> {
    Some(match event {
        Ok(Event::Said(message)) => ("said", json!(message.text())),
        Ok(Event::Text(text)) => ("text", json!(text)),
        Ok(Event::Calling(call)) => calling(&call),
        Ok(Event::Called(ended)) => return called(&ended.id, &ended.result),
        Ok(Event::Approval(call)) => approval(&call),
        // the model sends the text after the last step again
        Ok(Event::Retry(retry)) if retry.discard => ("discard", Value::Null),
        Ok(Event::StepEnd(_)) => ("step", Value::Null),
        Ok(Event::Done(turn)) => ("done", json!(stop(turn.stop))),
        // the client has missed events, and the history has them
        Ok(Event::Restarted | Event::Lost { .. }) => ("reload", Value::Null),
        Ok(_) => return None,
        Err(failed) => ("failed", json!(error(&failed).1)),
    })
}

fn calling(call: &CallPart) -> Shown {
    let data = json!({ "call": call.id, "tool": call.call.name });
    ("calling", data)
}

fn called(id: &str, result: &Result<ToolOutput, ToolError>) -> Option<Shown> {
    let result = match result {
        Ok(_) => "done",
        Err(ToolError::Pending(_) | ToolError::PendingInside(_)) => return None,
        Err(ToolError::Denied { .. }) => "denied",
        Err(_) => "failed",
    };
    Some(("called", json!({ "call": id, "result": result })))
}

fn approval(call: &PendingCall) -> Shown {
    let (tool, arguments) = (&call.request.tool.name, &call.request.arguments);
    let data = json!({ "call": call.id, "tool": tool, "arguments": arguments });
    ("approval", data)
}

fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::Answered => "answered",
        Stop::Approval => "approval",
        Stop::Aborted => "aborted",
        Stop::Steps | Stop::Tokens | Stop::Time => "limit",
        Stop::Repeated => "repeated",
        Stop::Truncated => "truncated",
        Stop::Refused => "refused",
        Stop::Cancelled => "cancelled",
        _ => "other",
    }
}

/// Returns the status and the text for the person. Other errors are for the log.
pub(crate) fn error(error: &ChatError) -> (StatusCode, String) {
    let (status, text) = match error {
        ChatError::Unknown { .. } => (StatusCode::NOT_FOUND, "there is no such conversation"),
        ChatError::Busy { .. } => (StatusCode::CONFLICT, "a turn is running"),
        ChatError::Pending(_) => (StatusCode::CONFLICT, "decide on the open call first"),
        ChatError::NothingToResume => (StatusCode::CONFLICT, "no turn was cut off"),
        ChatError::Decision { reason, .. } => return (StatusCode::CONFLICT, reason.clone()),
        ChatError::Empty => (StatusCode::UNPROCESSABLE_ENTITY, "the message is empty"),
        ChatError::Limit(_) => (
            StatusCode::INSUFFICIENT_STORAGE,
            "there is no room for this message; delete a conversation, or begin another one",
        ),
        error => {
            eprintln!("a turn failed: {error}");
            let text = "the turn failed; please try again";
            (StatusCode::INTERNAL_SERVER_ERROR, text)
        }
    };
    (status, text.to_owned())
}
