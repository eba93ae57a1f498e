//! A model with prepared completions.

use super::{ChatModel, ChatRequest, ModelError, ModelEvent, ModelProfile, Usage};
use crate::{CallPart, MessagePart, TextPart};
use futures_core::Stream;
use futures_core::stream::BoxStream;
use serde_json::Value;
use skill_agent_models::{Finish, Provider, ToolCall};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

/// A model with prepared completions, for tests and examples.
///
/// Clones share the script and the received requests.
///
/// ```
/// use serde_json::json;
/// use skill_agent::chat::Scripted;
///
/// let model = Scripted::new()
///     .calls([("add_note", json!({ "text": "Buy milk." }))])
///     .text("I noted it.");
/// assert!(model.requests().is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Scripted {
    profile: ModelProfile,
    script: Arc<Mutex<Script>>,
}

#[derive(Debug, Default)]
struct Script {
    completions: VecDeque<ScriptedCompletion>,
    requests: Vec<ChatRequest>,
}

#[derive(Debug, Default)]
struct ScriptedCompletion {
    events: VecDeque<Result<ModelEvent, ModelError>>,
    end: End,
}

/// The end of a stream, after a completion's events.
#[derive(Clone, Copy, Debug, Default)]
enum End {
    /// The stream ends.
    #[default]
    Closed,
    /// The stream stays pending forever.
    Stalled,
    Panic,
}

impl Default for Scripted {
    fn default() -> Self {
        Self::new()
    }
}

impl Scripted {
    /// Creates a model without completions. Its profile has the provider [`Provider::OPENAI_CHAT`] and promises to enforce answer
    /// schemas, but the completions of the script are not checked.
    pub fn new() -> Self {
        Self {
            profile: ModelProfile::new(Provider::OPENAI_CHAT),
            script: Arc::default(),
        }
    }

    /// Sets the model's profile.
    #[must_use]
    pub fn with_profile(mut self, profile: ModelProfile) -> Self {
        self.profile = profile;
        self
    }

    /// Adds a completion with text.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        let text = text.into();
        let part = TextPart::new(text.clone()).into();
        let finish = ModelEvent::Finish(Finish::Answered);
        self.events([ModelEvent::Text(text), ModelEvent::Part(part), finish])
    }

    /// Adds a completion with calls, given as names and arguments.
    #[must_use]
    pub fn calls<N: Into<String>>(self, calls: impl IntoIterator<Item = (N, Value)>) -> Self {
        let calls = calls.into_iter();
        self.raw_calls(calls.map(|(name, arguments)| ToolCall::new(name, arguments.to_string())))
    }

    /// Adds a completion with calls as a model writes them. The arguments may be malformed.
    #[must_use]
    pub fn raw_calls(self, calls: impl IntoIterator<Item = ToolCall>) -> Self {
        let mut events = Vec::new();
        for (index, call) in calls.into_iter().enumerate() {
            events.push(ModelEvent::CallDelta {
                index,
                name: Some(call.name.clone()),
                arguments: call.arguments.clone(),
            });
            events.push(ModelEvent::Part(MessagePart::Call(CallPart::new(call))));
        }
        events.push(ModelEvent::Finish(Finish::Calls));
        self.events(events)
    }

    /// Adds a completion with these events. A completion without [`ModelEvent::Finish`] counts as cut off.
    #[must_use]
    pub fn events(self, events: impl IntoIterator<Item = ModelEvent>) -> Self {
        let events = events.into_iter().map(Ok).collect();
        let end = End::Closed;
        self.script()
            .completions
            .push_back(ScriptedCompletion { events, end });
        self
    }

    /// Adds a completion that fails.
    #[must_use]
    pub fn error(self, error: ModelError) -> Self {
        self.events([]).then_error(error)
    }

    /// Makes the last completion fail after its events.
    #[must_use]
    pub fn then_error(self, error: ModelError) -> Self {
        self.change_last(|completion| completion.events.push_back(Err(error)))
    }

    /// Makes the last completion stall after its events: the stream stays pending.
    #[must_use]
    pub fn then_stall(self) -> Self {
        self.change_last(|completion| completion.end = End::Stalled)
    }

    /// Makes the last completion panic after its events.
    #[must_use]
    pub fn then_panic(self) -> Self {
        self.change_last(|completion| completion.end = End::Panic)
    }

    /// Sets the token usage of the last completion.
    #[must_use]
    pub fn usage(self, usage: Usage) -> Self {
        self.change_last(|completion| completion.events.push_front(Ok(ModelEvent::Usage(usage))))
    }

    /// Returns the received requests, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<ChatRequest> {
        self.script().requests.clone()
    }

    fn change_last(self, change: impl FnOnce(&mut ScriptedCompletion)) -> Self {
        if let Some(completion) = self.script().completions.back_mut() {
            change(completion);
        }
        self
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChatModel for Scripted {
    fn profile(&self) -> ModelProfile {
        self.profile.clone()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let mut script = self.script();
        script.requests.push(request);
        let completion = script
            .completions
            .pop_front()
            .unwrap_or_else(|| ScriptedCompletion {
                events: VecDeque::from([Err(ModelError::ScriptEnd)]),
                end: End::Closed,
            });
        Box::pin(completion)
    }
}

impl Stream for ScriptedCompletion {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match (self.events.pop_front(), self.end) {
            (Some(event), _) => Poll::Ready(Some(event)),
            (None, End::Closed) => Poll::Ready(None),
            (None, End::Stalled) => Poll::Pending,
            (None, End::Panic) => panic!("the script says so"),
        }
    }
}
