//! Sends a request and turns its response into events, whether it is streamed or complete.

use std::time::Duration;

use futures_core::stream::BoxStream;
use reqwest::{RequestBuilder, Response};

use crate::failure::clues::{Clues, unreadable};
use crate::failure::{ResponseHead, failure, is_failure};
use crate::format::completion::{checked, piece};
use crate::format::{Assembly, Format, Taken};
use crate::http::base_url;
use crate::http::client::sent;
use crate::http::endpoint::Endpoint;
use crate::http::event_stream::{Event, EventError, EventReader, MAX_EVENT_BYTES, is_event_stream};
use crate::http::exchange_stream::{self, Exchange, Ready};
use crate::settings::Settings;
use skill_agent_chat::__private::Classifier;
use skill_agent_chat::{ModelError, ModelEvent};
use skill_agent_models::__private::{Kind, Raw};

/// The maximum size of a stream, in bytes.
pub(crate) const MAX_BODY_BYTES: usize = 256 << 20;
/// The approximate number of bytes that are read from an error response. The rest is ignored.
const MAX_ERROR_BYTES: usize = 64 << 10;
/// The wait for a stream's end after its last event, to reuse the connection. Most servers send both at once.
const DRAIN_TIME: Duration = Duration::from_millis(50);

/// A request and its response.
struct HttpExchange<F: Format> {
    peer: Peer,
    state: State<F>,
}

/// The server, and the head of its response.
struct Peer {
    endpoint: Endpoint,
    classifier: Classifier,
    head: ResponseHead,
}

enum State<F: Format> {
    Request(Box<RequestBuilder>),
    Stream(Box<EventStream<F>>),
}

struct EventStream<F: Format> {
    response: Response,
    reader: EventReader,
    assembly: F::Assembly,
    /// The number of bytes received; `count` is the number of events received.
    bytes: usize,
    count: usize,
    has_pieces: bool,
    /// `true` if the completion has started.
    has_begun: bool,
    /// `true` if an event has identified the format's API.
    is_own: bool,
    /// The last event if it is only plain text, and the error to return if the completion continues after it.
    word: Option<(String, ModelError)>,
}

/// Sends a request and returns the completion's events.
pub(crate) fn stream<F: Format>(
    settings: &Settings,
    request: Result<RequestBuilder, ModelError>,
) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
    let server = base_url::server(&settings.endpoint.base_url).unwrap_or_default();
    let exchange = request.map(|request| HttpExchange::<F> {
        peer: Peer {
            endpoint: settings.endpoint.clone(),
            classifier: settings.profile.classifier(),
            head: ResponseHead::default(),
        },
        state: State::Request(Box::new(request)),
    });
    exchange_stream::stream(&server, exchange)
}

impl<F: Format> Exchange for HttpExchange<F> {
    async fn advance(self, ready: &mut Ready) -> Result<Option<Self>, ModelError> {
        let Self { mut peer, state } = self;
        let state = match state {
            State::Request(request) => peer.begin(*request, ready).await?,
            State::Stream(stream) => peer.read(stream, ready).await?,
        };
        Ok(state.map(|state| Self { peer, state }))
    }
}

impl Peer {
    async fn begin<F: Format>(
        &mut self,
        request: RequestBuilder,
        ready: &mut Ready,
    ) -> Result<Option<State<F>>, ModelError> {
        let response = sent(request).await;
        let response = response.map_err(|error| self.endpoint.transport(error))?;
        let secrets = self.endpoint.secrets();
        self.head = ResponseHead::new(response.status(), response.headers(), &secrets);
        let clues = Clues::new(&response);
        if !response.status().is_success() {
            let body = self.whole(response, MAX_ERROR_BYTES, true).await?;
            return Err(clues.add_to(
                self.failure(&String::from_utf8_lossy(&body)),
                &self.endpoint,
            ));
        }
        if is_event_stream(response.headers()) {
            return Ok(Some(State::Stream(Box::new(EventStream {
                response,
                reader: EventReader::new(MAX_EVENT_BYTES),
                assembly: F::Assembly::default(),
                bytes: 0,
                count: 0,
                has_pieces: false,
                has_begun: false,
                is_own: false,
                word: None,
            }))));
        }
        // the same limit as for an event, because both may contain a whole completion
        let body = self.whole(response, MAX_EVENT_BYTES, false).await?;
        let body = String::from_utf8(body).map_err(|_| self.protocol("not UTF-8"))?;
        let raw = Raw::parse(&body).map_err(|error| self.protocol(&clues.not_json(&error)))?;
        if is_failure(raw) {
            return Err(self.failure(&body));
        }
        F::API.check(raw).map_err(|hint| self.protocol(&hint))?;
        // an empty list of choices means that the completion was cut off, as at the end of a stream
        if is_without_choice(raw) {
            return Err(self.cut_off(""));
        }
        self.complete::<F>(&body, true, ready)?;
        Ok(None)
    }

    /// Reads a body. Ignores the rest of an error response after about `most` bytes. Returns an error for a longer completion.
    async fn whole(
        &self,
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
                Err(error) => return Err(self.broken(error, "")),
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

    /// Reads the next chunk of a stream.
    async fn read<F: Format>(
        &self,
        mut stream: Box<EventStream<F>>,
        ready: &mut Ready,
    ) -> Result<Option<State<F>>, ModelError> {
        let chunk = stream.response.chunk().await;
        let chunk = chunk.map_err(|error| self.broken(error, &stream.words()))?;
        let Some(chunk) = chunk else {
            // some servers end the stream without a last event
            self.end(*stream, false, ready)?;
            return Ok(None);
        };
        stream.bytes += chunk.len();
        if stream.bytes > MAX_BODY_BYTES {
            return Err(self.protocol("too large"));
        }
        let mut events = Vec::new();
        let pushed = stream.reader.push(&chunk, &mut events);
        for event in events {
            stream.count += 1;
            if self.take(&mut stream, &event, ready)? == Taken::Last {
                let mut response = self.end(*stream, true, ready)?;
                let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
                // if the server does not end the response, the connection is not reused, and nothing else is lost
                tokio::time::timeout(DRAIN_TIME, rest).await.ok();
                return Ok(None);
            }
        }
        pushed.map_err(|error| {
            let problem = match error {
                EventError::TooLarge => "too large",
                EventError::NotUtf8 => "not UTF-8",
            };
            self.protocol_at(stream.count + 1, problem)
        })?;
        if ready.is_empty() {
            ready.push_back(Ok(ModelEvent::KeepAlive));
        }
        Ok(Some(State::Stream(stream)))
    }

    fn take<F: Format>(
        &self,
        stream: &mut EventStream<F>,
        event: &Event,
        ready: &mut Ready,
    ) -> Result<Taken, ModelError> {
        let data = event.data.trim();
        if data == "[DONE]" {
            return Ok(Taken::Last);
        }
        if event.kind == "error" {
            return Err(self.failure(data));
        }
        if event.kind == "ping" || is_comment(data) {
            return Ok(Taken::More);
        }
        let raw = match Raw::parse(data) {
            Ok(raw) if raw.kind() == Kind::Object => raw,
            Ok(raw) if is_failure(raw) => return Err(self.failure(data)),
            read => {
                let problem = read.map_or_else(
                    |error| format!("not JSON: {error}"),
                    |_| "not an object".to_owned(),
                );
                let error = self.protocol_at(stream.count, &problem);
                if data.starts_with(['{', '[', '"']) {
                    return Err(error);
                }
                stream.word = Some((data.to_owned(), error));
                return Ok(Taken::More);
            }
        };
        // plain text before the completion begins is a keep-alive, and plain text within the completion is an error
        let word = stream.word.take_if(|_| !is_without_choice(raw));
        if let Some((_, error)) = word.filter(|_| stream.has_begun) {
            return Err(error);
        }
        stream.has_begun |= !is_without_choice(raw);
        if !stream.is_own {
            stream.is_own = F::API.check(raw).map_err(|hint| self.protocol(&hint))?;
        }
        let mut pieces = Vec::new();
        let taken = stream.assembly.take(raw, &mut pieces);
        pieces.retain(|_| F::SHOWS_PIECES);
        stream.has_pieces |= !pieces.is_empty();
        ready.extend(pieces.into_iter().map(Ok));
        let taken = taken.map_err(|error| self.protocol_at(stream.count, &unreadable(&error)))?;
        if taken == Taken::Failure {
            return Err(self.failure(data));
        }
        Ok(taken)
    }

    /// Ends a stream with its completion, or with an error if the completion was cut off.
    fn end<F: Format>(
        &self,
        stream: EventStream<F>,
        has_last: bool,
        ready: &mut Ready,
    ) -> Result<Response, ModelError> {
        let words = stream.words();
        let has_word_within = stream.has_begun && stream.word.is_some();
        let text = stream.assembly.finish(has_last);
        let text = match text.filter(|_| !has_word_within) {
            Some(text) => text,
            // the body is a whole completion, but has the content type of a stream
            None if !stream.has_begun && F::completion(&words).is_ok() => words,
            None => return Err(self.cut_off(&words)),
        };
        self.complete::<F>(&text, !stream.has_pieces, ready)?;
        Ok(stream.response)
    }

    /// Emits the events of a finished completion. If `with_pieces` is `true`, each part is also emitted as a piece, because no
    /// pieces were emitted before.
    fn complete<F: Format>(
        &self,
        text: &str,
        with_pieces: bool,
        ready: &mut Ready,
    ) -> Result<(), ModelError> {
        let events = F::completion(text).and_then(checked);
        let events = events.map_err(|error| self.protocol(&unreadable(&error)))?;
        let mut calls = 0;
        for mut event in events {
            if let ModelEvent::Part(part) = &mut event {
                self.endpoint.rename_item(part);
                ready.extend(piece(part, &mut calls).filter(|_| with_pieces).map(Ok));
            }
            ready.push_back(Ok(event));
        }
        Ok(())
    }

    fn failure(&self, body: &str) -> ModelError {
        failure(&self.endpoint.secrets(), &self.head, &self.classifier, body)
    }

    /// Returns the error for a connection that failed during a response. A closed connection counts as a cut-off completion.
    fn broken(&self, error: reqwest::Error, words: &str) -> ModelError {
        match self.endpoint.transport(error) {
            ModelError::Transport(_) => self.cut_off(words),
            error => error,
        }
    }

    /// Returns the error for a completion that was cut off. If the server's last words are plain text, such as a proxy's error
    /// message, they are read as the error.
    fn cut_off(&self, words: &str) -> ModelError {
        if !words.is_empty() {
            return self.failure(words);
        }
        let request_id = self.head.request_id.clone();
        ModelError::CutOff { request_id }
    }

    fn protocol(&self, message: &str) -> ModelError {
        let message = self.endpoint.without_secrets(message);
        ModelError::protocol(self.head.request_id.clone(), message)
    }

    fn protocol_at(&self, event: usize, problem: &str) -> ModelError {
        self.protocol(&format!("event {event}: {problem}"))
    }
}

impl<F: Format> EventStream<F> {
    /// Returns the server's last words if they are plain text, such as a proxy's error message: the data of the last event, or
    /// lines outside of events. Returns an empty string if there are none.
    fn words(&self) -> String {
        let word = self.word.as_ref().map(|(word, _)| word.clone());
        word.unwrap_or_else(|| self.reader.words())
    }
}

/// Returns whether the data only serves to keep the connection open: nothing, `null` or a comment.
fn is_comment(data: &str) -> bool {
    data.is_empty() || data == "null" || data.starts_with(':')
}

/// Returns whether an event has an empty list of choices, as in Azure's content filter results for the prompt or in the final
/// token counts.
fn is_without_choice(event: Raw<'_>) -> bool {
    let choices = event.get("choices");
    choices.is_some_and(|choices| choices.items().next().is_none())
}
