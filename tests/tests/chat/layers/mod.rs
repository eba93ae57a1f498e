//! Layers around the requests of a chat. The guide is docs/layers.md.

mod asking;
mod budget;
mod ends;
mod panics;
mod redact;
mod redact_requests;
mod requests;
mod results;
mod summarize;

use crate::support::*;
use skill_agent::chat::{
    Chat, ChatBuilder, ChatLayer, ChatRequest, Completion, Event, LayerError, LayerStream,
    ModelEvent, Next, Scripted, TextPart,
};
use skill_agent::models::Finish;
use skill_agent::prelude::AgentServer;
use skill_agent::server::BoxFuture;
use std::sync::{Arc, Mutex};

pub type Requested<'a> = BoxFuture<'a, Result<LayerStream, LayerError>>;

/// A layer whose request is a function.
pub struct Requests<F>(pub F);

impl<F> ChatLayer for Requests<F>
where
    F: for<'a> Fn(ChatRequest, Next<'a>) -> Requested<'a> + Send + Sync + 'static,
{
    fn request<'a>(&'a self, request: ChatRequest, next: Next<'a>) -> Requested<'a> {
        (self.0)(request, next)
    }
}

/// A layer of a function.
pub fn requests<F>(request: F) -> Requests<F>
where
    F: for<'a> Fn(ChatRequest, Next<'a>) -> Requested<'a> + Send + Sync + 'static,
{
    Requests(request)
}

/// A completion with a text: in pieces of one character, or whole.
pub fn said(model: Scripted, text: &str, streams: bool) -> Scripted {
    let pieces = text.chars().filter(|_| streams);
    let pieces = pieces.map(|piece| ModelEvent::Text(piece.into()));
    let end = [
        ModelEvent::Part(TextPart::new(text).into()),
        ModelEvent::Finish(Finish::Answered),
    ];
    model.events(pieces.chain(end))
}

/// The text that a stream shows.
pub async fn shown(chat: &mut Chat, message: &str) -> String {
    let mut turn = chat.stream(message);
    let mut shown = String::new();
    while let Some(event) = turn.next().await {
        match event.unwrap() {
            Event::Text(piece) => shown += &piece,
            Event::Retry(retry) if retry.discard => shown.clear(),
            _ => {}
        }
    }
    shown
}

/// The texts of the messages that a model got.
pub fn sent(model: &Scripted) -> Vec<Vec<String>> {
    let texts = |request: &ChatRequest| {
        let messages = request.messages.iter();
        messages.map(|message| message.text()).collect()
    };
    model.requests().iter().map(texts).collect()
}

pub fn layered(
    model: &Scripted,
    server: &AgentServer<Assistant>,
    layer: impl ChatLayer,
) -> ChatBuilder {
    builder(model, server).layer(layer)
}

/// Notes of what happened.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub fn note(&self, text: impl Into<String>) {
        self.0.lock().unwrap().push(text.into());
    }

    pub fn notes(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// The completion of a request, read whole.
pub async fn whole(request: ChatRequest, next: Next<'_>) -> Result<Completion, LayerError> {
    Completion::read(next.send(request).await?).await
}
