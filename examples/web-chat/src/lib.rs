//! Chats over HTTP. A turn goes on without its client, and a conversation after a restart.
//!
//! | request | response |
//! | --- | --- |
//! | `GET /` | the page |
//! | `GET /chats/{client}` | the client's conversations, the latest first |
//! | `GET /chats/{client}/{chat}` | a conversation: its status, the events of its history, and the number of the last one |
//! | `GET /chats/{client}/{chat}/events?after=7` | the later events, as they come |
//! | `POST /chats/{client}/{chat}/messages` with `{"text": "…"}` | 201: a turn begins; 202: the message enters the running turn |
//! | `POST /chats/{client}/{chat}/decisions` with `{"call": "…", "verdict": "approve"}` | 202: the turn goes on |
//! | `POST /chats/{client}/{chat}/resume` | 202: a turn that was cut off goes on |
//! | `POST /chats/{client}/{chat}/cancel` | the messages that entered no request |
//! | `DELETE /chats/{client}/{chat}` | 204 |
//!
//! The first message begins a conversation. Both ids are UUIDs, which the client draws.

mod assistant;
mod chats;
mod shown;

pub use chats::{MAX_CHAT_BYTES, MAX_CHATS, open};

use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::{Value, json};
use skill_agent::chat::{ChatError, ChatEvent, Conversations, Message};
use skill_agent::server::Verdict;
use std::fmt;
use std::future::ready;
use uuid::Uuid;

/// The maximum size of a request body, in bytes.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// The routes. Anyone who knows a client's id can read its conversations, so a real service must authenticate its users first.
pub fn router(chats: Conversations) -> Router {
    Router::new()
        .route("/", get(Html(include_str!("page.html"))))
        .route("/chats/{client}", get(list))
        .route("/chats/{client}/{chat}", get(show).delete(delete))
        .route("/chats/{client}/{chat}/events", get(events))
        .route("/chats/{client}/{chat}/messages", post(say))
        .route("/chats/{client}/{chat}/decisions", post(decide))
        .route("/chats/{client}/{chat}/resume", post(resume))
        .route("/chats/{client}/{chat}/cancel", post(cancel))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(chats)
}

/// The id of a conversation. It begins with the client's id, so that no client opens a conversation of another one.
#[derive(Deserialize)]
struct Id {
    client: Uuid,
    chat: Uuid,
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.client, self.chat)
    }
}

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

#[derive(Deserialize)]
struct After {
    /// The number of the last event that the client has.
    after: Option<u64>,
}

/// A refused request: its status, and a text for the person.
struct Refused(StatusCode, String);

impl From<ChatError> for Refused {
    fn from(error: ChatError) -> Self {
        let (status, text) = shown::error(&error);
        Self(status, text)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, self.1).into_response()
    }
}

async fn list(
    State(chats): State<Conversations>,
    Path(client): Path<Uuid>,
) -> Result<Json<Vec<Value>>, Refused> {
    let prefix = format!("{client}/");
    let listed = chats.list(&prefix).await?;
    let entry = |info| shown::info(info, &prefix);
    Ok(Json(listed.iter().map(entry).collect()))
}

async fn show(
    State(chats): State<Conversations>,
    Path(id): Path<Id>,
) -> Result<Json<Value>, Refused> {
    let page = chats.get(id.to_string()).await?;
    let queued: Vec<_> = page.queued.iter().map(Message::text).collect();
    Ok(Json(json!({
        "status": page.info.status,
        "events": shown::history(&page),
        "last_event": page.last_event,
        "queued": queued,
    })))
}

/// Streams the events of all turns. A browser that reconnects sends the number of the last event in a header.
async fn events(
    State(chats): State<Conversations>,
    Path(id): Path<Id>,
    Query(query): Query<After>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refused> {
    let after = match headers.get("last-event-id") {
        Some(last) => Some(number(last.as_bytes())?),
        None => query.after,
    };
    let events = chats.follow(id.to_string(), after)?;
    let sent = events.filter_map(|event| ready(sent(event)));
    Ok(Sse::new(sent).keep_alive(KeepAlive::default()))
}

fn number(header: &[u8]) -> Result<u64, Refused> {
    let number = std::str::from_utf8(header).ok();
    let wrong = || {
        let text = "the header Last-Event-ID is not the number of an event";
        Refused(StatusCode::BAD_REQUEST, text.to_owned())
    };
    number.and_then(|text| text.parse().ok()).ok_or_else(wrong)
}

fn sent(event: ChatEvent) -> Option<Result<sse::Event, axum::Error>> {
    let (name, data) = shown::event(event.event)?;
    let numbered = sse::Event::default().id(event.number.to_string());
    Some(numbered.event(name).json_data(data))
}

async fn say(
    State(chats): State<Conversations>,
    Path(id): Path<Id>,
    Json(said): Json<Said>,
) -> Result<StatusCode, Refused> {
    match chats.start(id.to_string(), said.text).await {
        Ok(_) => Ok(StatusCode::CREATED), // the turn goes on without its handle
        Err(ChatError::Busy { message, .. }) => {
            chats.steer(id.to_string(), *message).await?;
            Ok(StatusCode::ACCEPTED)
        }
        Err(error) => Err(error.into()),
    }
}

async fn decide(
    State(chats): State<Conversations>,
    Path(id): Path<Id>,
    Json(decided): Json<Decided>,
) -> Result<StatusCode, Refused> {
    let verdict = match decided.verdict {
        Decision::Approve => Verdict::Approve,
        Decision::Deny => Verdict::Deny("the person said no".into()),
    };
    chats.decide(id.to_string(), decided.call, verdict).await?;
    Ok(StatusCode::ACCEPTED)
}

async fn resume(
    State(chats): State<Conversations>,
    Path(id): Path<Id>,
) -> Result<StatusCode, Refused> {
    chats.resume(id.to_string()).await?;
    Ok(StatusCode::ACCEPTED)
}

async fn cancel(
    State(chats): State<Conversations>,
    Path(id): Path<Id>,
) -> Result<Json<Vec<String>>, Refused> {
    let unsent = chats.cancel(id.to_string()).await?;
    Ok(Json(unsent.iter().map(Message::text).collect()))
}

async fn delete(
    State(chats): State<Conversations>,
    Path(id): Path<Id>,
) -> Result<StatusCode, Refused> {
    chats.delete(id.to_string()).await?;
    Ok(StatusCode::NO_CONTENT)
}
