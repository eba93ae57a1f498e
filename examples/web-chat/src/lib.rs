//! Chats over HTTP: each turn is a response with server-sent events.
//!
//! | request | response |
//! | --- | --- |
//! | `POST /chats` | the id of a new conversation |
//! | `POST /chats/{id}/messages` with `{"text": "…"}` | the events of a turn |
//! | `POST /chats/{id}/decisions` with `{"call": "…", "verdict": "approve"}` | the events of the rest of the turn, after the pending call |
//!
//! If a client disconnects, its turn is cancelled. The completed steps stay in the history.

mod assistant;
mod chats;

pub use chats::{Chats, MAX_CHATS, MAX_MESSAGES};

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::{Value, json};
use skill_agent::chat::{ChatError, Event, OwnedTurnStream, Stop};
use skill_agent::server::Verdict;
use skill_agent::toolbox::ToolError;
use std::future::ready;

/// The maximum size of a request body, in bytes.
const MAX_BODY_BYTES: usize = 64 * 1024;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decided {
    /// The id of a call, from the event `approval`.
    call: String,
    verdict: Decision,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Decision {
    Approve,
    Deny,
}

/// The routes. Anyone who knows a conversation's id can continue it, so a real service must authenticate its users first.
pub fn router(chats: Chats) -> Router {
    Router::new()
        .route("/chats", post(begin))
        .route("/chats/{id}/messages", post(say))
        .route("/chats/{id}/decisions", post(decide))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(chats)
}

async fn begin(State(chats): State<Chats>) -> Result<(StatusCode, Json<Value>), StatusCode> {
    let id = chats.begin().await?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))))
}

async fn say(
    State(chats): State<Chats>,
    Path(id): Path<String>,
    Json(said): Json<Said>,
) -> Result<Response, StatusCode> {
    let chat = chats.take_for_turn(&id)?;
    Ok(respond(chats, id, chat.into_stream(said.text)))
}

async fn decide(
    State(chats): State<Chats>,
    Path(id): Path<String>,
    Json(decided): Json<Decided>,
) -> Result<Response, StatusCode> {
    let chat = chats.take(&id)?;
    let verdict = match decided.verdict {
        Decision::Approve => Verdict::Approve,
        Decision::Deny => Verdict::Deny("the person said no".into()),
    };
    let turn = chat.into_stream_decide(&decided.call, verdict);
    Ok(respond(chats, id, turn))
}

/// Streams the events of a turn. Puts the chat back when the turn ends, even if the client disconnects.
fn respond(chats: Chats, id: String, turn: OwnedTurnStream) -> Response {
    let events = turn.give_back(move |chat| chats.put(&id, chat));
    let shown = events.filter_map(|event| ready(shown(event)));
    let sent = shown.map(|(name, data)| sse::Event::default().event(name).json_data(data));
    Sse::new(sent)
        .keep_alive(KeepAlive::default())
        .into_response()
}

/// Returns the name and data of an event to send to the client. Reasoning, tool outputs and provider errors are not sent.
fn shown(event: Result<Event, ChatError>) -> Option<(&'static str, Value)> {
    Some(match event {
        Ok(Event::Text(text)) => ("text", json!(text)),
        Ok(Event::Calling(call)) => (
            "calling",
            json!({ "call": call.id, "tool": call.call.name }),
        ),
        Ok(Event::Called(called)) => match called.result {
            Err(ToolError::Pending(_)) => return None,
            result => ("called", json!({ "call": called.id, "ok": result.is_ok() })),
        },
        Ok(Event::Approval(waiting)) => {
            let (tool, arguments) = (&waiting.request.tool.name, &waiting.request.arguments);
            let shown = json!({ "call": waiting.id, "tool": tool, "arguments": arguments });
            ("approval", shown)
        }
        // the model sends this step's text again, so the client must discard it
        Ok(Event::Retry(retry)) if retry.discard => ("discard", Value::Null),
        Ok(Event::Done(turn)) => ("done", json!({ "stop": name_of(turn.stop) })),
        Ok(_) => return None,
        Err(ChatError::Decision { reason, .. }) => ("error", json!(reason)),
        Err(ChatError::Pending(_)) => ("error", json!("decide on the open call first")),
        Err(ChatError::Empty) => ("error", json!("the message is empty")),
        Err(error) => {
            eprintln!("a turn failed: {error}");
            ("error", json!("the turn failed; please try again"))
        }
    })
}

/// Returns the name of a stop reason for the client.
fn name_of(stop: Stop) -> &'static str {
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
