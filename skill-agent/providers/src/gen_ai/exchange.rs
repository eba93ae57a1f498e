//! Sends a request and reads the events of its response.

use futures_util::StreamExt;
use genai::chat::{ChatOptions, ChatRequest, ChatStream, ChatStreamEvent};
use genai::{Client, Error, ModelIden, ModelSpec};
use serde_json::Value;

use super::assembly::{CompletionAssembly, Effect};
use super::errors::{CUT_OFF, Failed, secrets};
use crate::http::exchange_stream::{Exchange, Ready};
use skill_agent_chat::__private::Classifier;
use skill_agent_chat::{ModelError, ModelEvent};

/// The client, model and options of a request.
pub(super) struct ModelClient {
    pub(super) client: Client,
    pub(super) spec: ModelSpec,
    pub(super) model: ModelIden,
    pub(super) options: ChatOptions,
    pub(super) classifier: Classifier,
}

/// A request and its response.
pub(super) enum GenAiExchange {
    /// A request that is ready to send.
    Request(Box<(ModelClient, ChatRequest)>),
    /// A completion that is being read.
    Stream(Box<CompletionStream>),
}

pub(super) struct CompletionStream {
    client: ModelClient,
    stream: ChatStream,
    assembly: CompletionAssembly,
    /// The number of events received.
    count: usize,
    /// `true` if Gemini has sent an event without a candidate.
    has_event_without_candidate: bool,
}

impl Exchange for GenAiExchange {
    async fn advance(self, ready: &mut Ready) -> Result<Option<Self>, ModelError> {
        match self {
            Self::Request(request) => {
                let (client, request) = *request;
                let stream = client.begin(request).await?;
                Ok(Some(Self::Stream(Box::new(stream))))
            }
            Self::Stream(stream) => {
                let stream = stream.read(ready).await?;
                Ok(stream.map(Self::Stream))
            }
        }
    }
}

impl CompletionStream {
    /// Reads the next event. Returns `None` at the end.
    async fn read(mut self: Box<Self>, ready: &mut Ready) -> Result<Option<Box<Self>>, ModelError> {
        let event = match self.stream.next().await {
            Some(Ok(event)) => event,
            Some(Err(Error::ChatResponse { body, .. })) if is_without_candidate(&body) => {
                self.has_event_without_candidate = true;
                ready.push_back(Ok(ModelEvent::KeepAlive));
                return Ok(Some(self));
            }
            Some(Err(Error::StreamParse { serde_error, .. }))
                if self.assembly.is_empty() && is_word(&serde_error) =>
            {
                ready.push_back(Ok(ModelEvent::KeepAlive));
                return Ok(Some(self));
            }
            Some(Err(error)) => return Err(self.client.failed(error).await),
            None => return Err(CUT_OFF),
        };
        if !matches!(event, ChatStreamEvent::Start) {
            self.count += 1;
        }
        let effect = self.assembly.take(event);
        let effect = effect.map_err(|error| {
            ModelError::protocol(None, format!("event {}: {error}", self.count))
        })?;
        match effect {
            Effect::Event(event) => ready.push_back(Ok(event)),
            Effect::Nothing => {}
            // Gemini withholds all candidates if it refuses a prompt
            Effect::CutOff if self.has_event_without_candidate && self.assembly.is_empty() => {
                return Err(ModelError::Refused {
                    request_id: None,
                    message: "there is no candidate".to_owned(),
                });
            }
            Effect::CutOff => return Err(CUT_OFF),
            Effect::Completion(events) => {
                ready.extend(events.into_iter().map(Ok));
                return Ok(None);
            }
        }
        Ok(Some(self))
    }
}

/// Returns whether an event's data does not start like JSON, as with the plain text that servers send to keep a connection open.
fn is_word(error: &serde_json::Error) -> bool {
    error.is_syntax() && (error.line(), error.column()) == (1, 1)
}

/// Returns whether a Gemini event has no candidate. `genai` reports such an event as an error and drops its content.
fn is_without_candidate(body: &Value) -> bool {
    body.get("finishReason").is_some()
}

impl ModelClient {
    async fn begin(mut self, request: ChatRequest) -> Result<CompletionStream, ModelError> {
        let (client, spec) = (&self.client, self.spec.clone());
        let begun = client.exec_chat_stream(spec, request, Some(&self.options));
        let begun = match begun.await {
            Ok(begun) => begun,
            Err(error) => return Err(self.failed(error).await),
        };
        // a resolver may have chosen a different model
        self.model = begun.model_iden;
        let collects_calls = self.options.capture_tool_calls.unwrap_or_default();
        Ok(CompletionStream {
            assembly: CompletionAssembly::new(&self.model, collects_calls),
            client: self,
            stream: begun.stream,
            count: 0,
            has_event_without_candidate: false,
        })
    }

    /// Returns the error for this request. The secrets are collected only now, because the client's resolvers may be slow.
    async fn failed(&self, error: Error) -> ModelError {
        let secrets = secrets(&self.client, &self.spec, &self.options).await;
        let failed = Failed {
            model: &self.model,
            options: &self.options,
            secrets: &secrets,
            classifier: &self.classifier,
        };
        failed.error(error)
    }
}
