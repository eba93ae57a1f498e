//! A request and the events of the response.

use std::collections::VecDeque;

use futures_core::stream::BoxStream;
use futures_util::StreamExt;
use genai::chat::{ChatOptions, ChatRequest, ChatStream, ChatStreamEvent};
use genai::{Client, Error, ModelIden, ModelSpec};

use super::assembly::{CompletionAssembly, Taken};
use super::errors::{CUT_OFF, Failed, secrets};
use crate::chat::{ModelError, ModelEvent};

/// A request that is ready to be sent.
pub(super) struct Call {
    pub(super) sent: Sent,
    pub(super) request: ChatRequest,
}

/// All of a request but the conversation.
pub(super) struct Sent {
    pub(super) client: Client,
    pub(super) spec: ModelSpec,
    pub(super) model: ModelIden,
    pub(super) options: ChatOptions,
}

struct Exchange {
    ready: VecDeque<Result<ModelEvent, ModelError>>,
    state: State,
}

enum State {
    Request(Box<Call>),
    Stream(Box<Response>),
    End,
}

/// A response that is read.
struct Response {
    sent: Sent,
    stream: ChatStream,
    assembly: CompletionAssembly,
    /// The events so far.
    count: usize,
}

/// Sends a request when the stream is polled, and gives the events of the response.
pub(super) fn stream(
    call: Result<Call, ModelError>,
) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
    let (ready, state) = match call {
        Ok(call) => (VecDeque::new(), State::Request(Box::new(call))),
        Err(error) => (VecDeque::from([Err(error)]), State::End),
    };
    let exchange = Exchange { ready, state };
    // reading on after the end is no panic
    Box::pin(futures_util::stream::unfold(exchange, Exchange::next).fuse())
}

impl Exchange {
    async fn next(mut self) -> Option<(Result<ModelEvent, ModelError>, Self)> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some((event, self));
            }
            let done = match std::mem::replace(&mut self.state, State::End) {
                State::End => return None,
                State::Request(call) => self.begin(*call).await,
                State::Stream(response) => self.read(response).await,
            };
            if let Err(error) = done {
                self.ready.push_back(Err(error));
            }
        }
    }

    async fn begin(&mut self, call: Call) -> Result<(), ModelError> {
        let Call { mut sent, request } = call;
        let (client, spec) = (&sent.client, sent.spec.clone());
        let begun = client.exec_chat_stream(spec, request, Some(&sent.options));
        let begun = match begun.await {
            Ok(begun) => begun,
            Err(error) => return Err(sent.failed(error, false).await),
        };
        // a resolver may have chosen another one
        sent.model = begun.model_iden;
        let collects_calls = sent.options.capture_tool_calls.unwrap_or_default();
        self.state = State::Stream(Box::new(Response {
            assembly: CompletionAssembly::new(&sent.model, collects_calls),
            sent,
            stream: begun.stream,
            count: 0,
        }));
        Ok(())
    }

    async fn read(&mut self, mut response: Box<Response>) -> Result<(), ModelError> {
        let event = match response.stream.next().await {
            Some(Ok(event)) => event,
            Some(Err(error)) => return Err(response.sent.failed(error, response.count > 0).await),
            None => return Err(CUT_OFF),
        };
        if !matches!(event, ChatStreamEvent::Start) {
            response.count += 1;
        }
        let taken = response.assembly.take(event);
        let taken = taken.map_err(|error| ModelError::Protocol {
            request_id: None,
            message: format!("event {}: {error}", response.count),
        })?;
        match taken {
            Taken::Event(event) => self.ready.push_back(Ok(event)),
            Taken::Nothing => {}
            Taken::CutOff => return Err(CUT_OFF),
            Taken::Completion(completion) => {
                self.ready
                    .extend(completion.into_events(false).into_iter().map(Ok));
                return Ok(());
            }
        }
        self.state = State::Stream(response);
        Ok(())
    }
}

impl Sent {
    /// The error of this request. Its secrets are asked for only now, since a resolver of the client may take its time.
    async fn failed(&self, error: Error, has_begun: bool) -> ModelError {
        let secrets = secrets(&self.client, &self.spec, &self.options).await;
        let failed = Failed {
            model: &self.model,
            options: &self.options,
            secrets: &secrets,
            has_begun,
        };
        failed.error(error)
    }
}
