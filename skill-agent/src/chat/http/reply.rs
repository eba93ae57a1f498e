//! A reply as a stream of events, whether the server streams or answers at once.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::time::Duration;

use futures_core::stream::BoxStream;
use futures_util::StreamExt;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{RequestBuilder, Response};

use super::endpoint::Endpoint;
use super::event_stream::{Event, EventError, EventReader, MAX_EVENT_BYTES};
use super::failure::{ReplyHead, failure};
use super::format::{Answer, Assembly, Format, Taken};
use super::retry_after::retry_after;
use crate::chat::{MessagePart, ModelError, ModelEvent};
use crate::models::CompletionError;
use crate::models::raw::{Kind, Raw};

/// The most bytes of a reply.
const MAX_BODY_BYTES: usize = 256 << 20;
/// The most bytes of a reply that is an error.
const MAX_ERROR_BYTES: usize = 64 << 10;
/// How long the end of a stream is waited for after its last event, so that the connection can be used again. Most servers send both
/// at once.
const DRAIN_TIME: Duration = Duration::from_millis(50);

/// A request and the reply to it.
struct Exchange<F: Format> {
    endpoint: Endpoint,
    head: ReplyHead,
    ready: VecDeque<Result<ModelEvent, ModelError>>,
    state: State<F>,
    format: PhantomData<fn() -> F>,
}

enum State<F: Format> {
    Request(Box<RequestBuilder>),
    Stream(Box<EventStream<F>>),
    End,
}

struct EventStream<F: Format> {
    response: Response,
    reader: EventReader,
    assembly: F::Assembly,
    /// The bytes and events so far.
    bytes: usize,
    count: usize,
    has_pieces: bool,
}

/// Sends a request when the stream is polled, and gives the events of the reply.
pub(super) fn stream<F: Format>(
    endpoint: Endpoint,
    request: Result<RequestBuilder, ModelError>,
) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
    let (ready, state) = match request {
        Ok(request) => (VecDeque::new(), State::Request(Box::new(request))),
        Err(error) => (VecDeque::from([Err(error)]), State::End),
    };
    let exchange = Exchange::<F> {
        endpoint,
        head: ReplyHead::default(),
        ready,
        state,
        format: PhantomData,
    };
    // reading on after the end is no panic
    Box::pin(futures_util::stream::unfold(exchange, Exchange::next).fuse())
}

/// Sends a request, and sends it once more if its connection ends before anything of the reply has come: a server may close a
/// connection at the moment in which it is used again. llama.cpp closes it after every stream, and does not say so before.
async fn sent(request: RequestBuilder) -> reqwest::Result<Response> {
    let again = request.try_clone();
    match (request.send().await, again) {
        (Err(error), Some(again))
            if error.is_request() && !error.is_connect() && !error.is_timeout() =>
        {
            again.send().await
        }
        (response, _) => response,
    }
}

impl<F: Format> Exchange<F> {
    async fn next(mut self) -> Option<(Result<ModelEvent, ModelError>, Self)> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some((event, self));
            }
            match std::mem::replace(&mut self.state, State::End) {
                State::End => return None,
                State::Request(request) => {
                    let begun = self.begin(*request).await;
                    begun.unwrap_or_else(|error| self.fail(error));
                }
                State::Stream(stream) => {
                    let read = self.read(stream).await;
                    read.unwrap_or_else(|error| self.fail(error));
                }
            }
        }
    }

    fn fail(&mut self, error: ModelError) {
        self.ready.push_back(Err(error));
    }

    async fn begin(&mut self, request: RequestBuilder) -> Result<(), ModelError> {
        let response = sent(request).await;
        let response = response.map_err(|error| self.endpoint.transport(error))?;
        self.head = ReplyHead {
            status: response.status().as_u16(),
            request_id: request_id(response.headers()).map(|id| self.endpoint.without_secrets(&id)),
            retry_after: retry_after(response.headers()),
        };
        if !response.status().is_success() {
            let body = self.whole(response, MAX_ERROR_BYTES, true).await?;
            return Err(failure(
                &self.endpoint,
                &self.head,
                &String::from_utf8_lossy(&body),
            ));
        }
        if is_event_stream(response.headers()) {
            self.state = State::Stream(Box::new(EventStream {
                response,
                reader: EventReader::new(MAX_EVENT_BYTES),
                assembly: F::Assembly::default(),
                bytes: 0,
                count: 0,
                has_pieces: false,
            }));
            return Ok(());
        }
        let body = self.whole(response, MAX_BODY_BYTES, false).await?;
        let body = String::from_utf8(body).map_err(|_| self.protocol("not UTF-8"))?;
        let raw =
            Raw::parse(&body).map_err(|error| self.protocol(&format!("not JSON: {error}")))?;
        if raw.get("error").is_some_and(|error| !error.is_null()) {
            return Err(failure(&self.endpoint, &self.head, &body));
        }
        self.answer(&body, true)
    }

    /// The bytes of a body. Of an error the beginning is enough.
    async fn whole(
        &mut self,
        mut response: Response,
        most: usize,
        is_error: bool,
    ) -> Result<Vec<u8>, ModelError> {
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => return Ok(body),
                Err(_) if is_error => return Ok(body),
                Err(error) => return Err(self.broken(error)),
            }
            if body.len() > most {
                return if is_error {
                    Ok(body)
                } else {
                    Err(self.protocol("too large"))
                };
            }
        }
    }

    /// Reads what has come of a stream.
    async fn read(&mut self, mut stream: Box<EventStream<F>>) -> Result<(), ModelError> {
        let chunk = stream.response.chunk().await;
        let Some(chunk) = chunk.map_err(|error| self.broken(error))? else {
            // some servers end without their last event
            return self.end(*stream).map(|_| ());
        };
        stream.bytes += chunk.len();
        if stream.bytes > MAX_BODY_BYTES {
            return Err(self.protocol("too large"));
        }
        let mut events = Vec::new();
        let pushed = stream.reader.push(&chunk, &mut events);
        for event in events {
            stream.count += 1;
            if self.take(&mut stream, &event)? == Taken::Last {
                let mut response = self.end(*stream)?;
                let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
                // a server that does not end the reply only loses its connection
                tokio::time::timeout(DRAIN_TIME, rest).await.ok();
                return Ok(());
            }
        }
        pushed.map_err(|error| {
            let problem = match error {
                EventError::TooLarge => "too large",
                EventError::NotUtf8 => "not UTF-8",
            };
            self.protocol_at(stream.count + 1, problem)
        })?;
        if self.ready.is_empty() {
            self.ready.push_back(Ok(ModelEvent::KeepAlive));
        }
        self.state = State::Stream(stream);
        Ok(())
    }

    fn take(&mut self, stream: &mut EventStream<F>, event: &Event) -> Result<Taken, ModelError> {
        let data = event.data.trim();
        if data == "[DONE]" {
            return Ok(Taken::Last);
        }
        // servers keep a connection open with them
        if data.is_empty() || event.kind == "ping" {
            return Ok(Taken::More);
        }
        if event.kind == "error" {
            return Err(failure(&self.endpoint, &self.head, data));
        }
        let raw = Raw::parse(data);
        let raw =
            raw.map_err(|error| self.protocol_at(stream.count, &format!("not JSON: {error}")))?;
        if raw.kind() != Kind::Object {
            return Err(self.protocol_at(stream.count, "not an object"));
        }
        let mut pieces = Vec::new();
        let taken = stream.assembly.take(raw, &mut pieces);
        stream.has_pieces |= !pieces.is_empty();
        self.ready.extend(pieces.into_iter().map(Ok));
        let taken = taken.map_err(|error| self.protocol_at(stream.count, &unreadable(&error)))?;
        if taken == Taken::Failure {
            return Err(failure(&self.endpoint, &self.head, data));
        }
        Ok(taken)
    }

    /// Ends a stream, whose answer is complete or was cut off.
    fn end(&mut self, stream: EventStream<F>) -> Result<Response, ModelError> {
        let text = stream.assembly.finish().ok_or_else(|| self.cut_off())?;
        self.answer(&text, !stream.has_pieces)?;
        Ok(stream.response)
    }

    /// The events of a whole answer, with its pieces if they were not sent.
    fn answer(&mut self, text: &str, with_pieces: bool) -> Result<(), ModelError> {
        let answer = F::answer(text).map_err(|error| self.protocol(&unreadable(&error)))?;
        let Answer {
            parts,
            usage,
            finish,
        } = answer;
        let mut calls = 0;
        for part in parts {
            if with_pieces {
                self.ready.extend(piece(&part, &mut calls).map(Ok));
            }
            self.ready.push_back(Ok(ModelEvent::Part(part)));
        }
        self.ready.extend(usage.map(ModelEvent::Usage).map(Ok));
        self.ready.push_back(Ok(ModelEvent::Finish(finish)));
        Ok(())
    }

    /// A connection that failed within a reply. If the server closed it, the answer was cut off.
    fn broken(&self, error: reqwest::Error) -> ModelError {
        match self.endpoint.transport(error) {
            ModelError::Transport(_) => self.cut_off(),
            error => error,
        }
    }

    fn cut_off(&self) -> ModelError {
        let request_id = self.head.request_id.clone();
        ModelError::CutOff { request_id }
    }

    fn protocol(&self, message: &str) -> ModelError {
        ModelError::Protocol {
            request_id: self.head.request_id.clone(),
            message: self.endpoint.without_secrets(message),
        }
    }

    fn protocol_at(&self, event: usize, problem: &str) -> ModelError {
        self.protocol(&format!("event {event}: {problem}"))
    }
}

/// The text of a part that a person sees.
fn piece(part: &MessagePart, calls: &mut usize) -> Option<ModelEvent> {
    match part {
        MessagePart::Text(text) => Some(ModelEvent::Text(text.text.clone())),
        MessagePart::Reasoning(text) if text.text.is_empty() => None,
        MessagePart::Reasoning(text) => Some(ModelEvent::Reasoning(text.text.clone())),
        MessagePart::Call(call) => {
            *calls += 1;
            Some(ModelEvent::CallDelta {
                index: *calls - 1,
                name: Some(call.call.name.clone()),
                arguments: call.call.arguments.clone(),
            })
        }
        _ => None,
    }
}

/// Why a text is no answer, without what a provider wrote.
fn unreadable(error: &CompletionError) -> String {
    match error {
        CompletionError::Provider { .. } => "an error of the provider".to_owned(),
        error => error.to_string(),
    }
}

fn is_event_stream(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let kind = kind
        .and_then(|kind| kind.split(';').next())
        .unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("text/event-stream")
}

fn request_id(headers: &HeaderMap) -> Option<String> {
    let id = ["x-request-id", "request-id"]
        .iter()
        .find_map(|name| headers.get(*name))?;
    id.to_str().ok().map(|id| id.chars().take(200).collect())
}
