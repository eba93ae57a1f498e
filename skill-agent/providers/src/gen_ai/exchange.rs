//! A request and the events of the response.

use futures_util::StreamExt;
use genai::chat::{ChatOptions, ChatRequest, ChatStream, ChatStreamEvent};
use genai::{Client, Error, ModelIden, ModelSpec};
use serde_json::Value;

use super::assembly::{CompletionAssembly, Effect};
use super::errors::{CUT_OFF, Failed, secrets};
use crate::exchange_stream::{Exchange, Ready};
use skill_agent_chat::__private::Classifier;
use skill_agent_chat::{ModelError, ModelEvent};

/// The client, the model and the options of a request.
pub(super) struct ModelClient {
    pub(super) client: Client,
    pub(super) spec: ModelSpec,
    pub(super) model: ModelIden,
    pub(super) options: ChatOptions,
    pub(super) classifier: Classifier,
}

/// A request and the response to it.
pub(super) enum GenAiExchange {
    /// A request that is ready to be sent.
    Request(Box<(ModelClient, ChatRequest)>),
    /// A completion that is read.
    Stream(Box<CompletionStream>),
}

pub(super) struct CompletionStream {
    client: ModelClient,
    stream: ChatStream,
    assembly: CompletionAssembly,
    /// The events so far.
    count: usize,
    /// Whether Gemini has sent an event without a candidate.
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
    /// Reads the next event. `None` is the end.
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
            // Gemini withholds all candidates of a prompt that it refuses
            Effect::CutOff if self.has_event_without_candidate && self.assembly.is_empty() => {
                return Err(ModelError::Refused {
                    request_id: None,
                    message: "there is no candidate".to_owned(),
                });
            }
            Effect::CutOff => return Err(CUT_OFF),
            Effect::Completion(completion) => {
                ready.extend(completion.into_events(false).into_iter().map(Ok));
                return Ok(None);
            }
        }
        Ok(Some(self))
    }
}

/// Whether the data of an event does not begin like JSON: servers keep a connection open with words.
fn is_word(error: &serde_json::Error) -> bool {
    error.is_syntax() && (error.line(), error.column()) == (1, 1)
}

/// Whether an event of Gemini has no candidate: an error of `genai`, which drops its content.
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
        // a resolver may have chosen another one
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

    /// The error of this request. Its secrets are asked for only now, since a resolver of the client may take its time.
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
