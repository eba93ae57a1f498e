//! Methods of [`Chat`] that start a turn.

#[cfg(feature = "documents")]
use super::MessagePart;
use super::answer::{AnswerFuture, AnswerSpec, ModelAnswer};
use super::history;
use super::ids::StepNumber;
use super::turn::{Decision, OwnedTurnStream, TurnStream, TurnTask, is_unchanged, open_calls};
use super::{Chat, ChatError, Message, PendingCall, Role, Stop, Turn};
use skill_agent_server::Verdict;
use skill_agent_toolbox::ToolError;
use std::sync::Arc;

impl Chat {
    /// Sends a message to the model and waits until the turn ends.
    ///
    /// # Errors
    ///
    /// Returns [`ChatError::Model`] if the model fails and retries do not help. The history then keeps the completed steps, and
    /// the user's message if at least one step was completed.
    ///
    /// The following errors are returned before any request is sent: [`ChatError::Pending`] while calls wait for approval,
    /// [`ChatError::Empty`] for a message without any text, image or file, [`ChatError::Role`] for a message whose role is not
    /// [`Role::User`](super::Role::User), [`ChatError::History`] for a message with calls or results, [`ChatError::Media`] for data
    /// that is not base64, and [`ChatError::Images`] for an image if the model reads no images. If sources of the toolbox fail and
    /// the request would have no tools, the request is not sent and the error is [`ChatError::Withheld`]. If a layer fails, the
    /// error is [`ChatError::Layer`].
    pub async fn send(&mut self, message: impl Into<Message>) -> Result<Turn, ChatError> {
        self.stream(message).finish().await
    }

    /// Sends a message to the model and returns the turn's events as a stream.
    pub fn stream(&mut self, message: impl Into<Message>) -> TurnStream<'_> {
        let task = self.say(message.into(), None);
        TurnStream::new(self, task)
    }

    /// Like [`stream`](Self::stream), but the stream owns the chat.
    pub fn into_stream(mut self, message: impl Into<Message>) -> OwnedTurnStream {
        let task = self.say(message.into(), None);
        OwnedTurnStream::new(self, task)
    }

    /// Asks for an answer of type `T`. The model may call tools before it answers. If the answer does not fit `T`, the chat sends
    /// the model the error, and the model tries again once.
    ///
    /// # Errors
    ///
    /// Returns [`ChatError::Answer`] if the second answer does not fit either, [`ChatError::NoAnswer`] if the turn ends without
    /// an answer, and [`ChatError::Schema`] if the provider does not support the schema of `T`. Also returns the same errors as
    /// [`send`](Self::send).
    // Not an `async fn`, so that a missing derive causes only one compile error.
    pub fn ask<T: ModelAnswer>(&mut self, message: impl Into<Message>) -> AnswerFuture<'_, T> {
        let message = message.into();
        let turn = Box::pin(async {
            let profile = &self.setup.profile;
            let spec = AnswerSpec::of::<T::Read>(profile)?;
            let spec = Arc::new(spec.lenient(self.setup.lenient));
            let task = self.say(message, Some(Arc::clone(&spec)));
            let turn = TurnStream::new(self, task).finish().await?;
            if turn.stop == Stop::Answered {
                Ok((spec, turn))
            } else {
                Err(ChatError::NoAnswer(Box::new(turn)))
            }
        });
        let read = |spec: &AnswerSpec, text: &str| spec.read(text).map(T::of);
        AnswerFuture { turn, read }
    }

    /// Continues a turn that reached a limit, was cancelled or dropped, or failed after a step. The limits start afresh. Any chat
    /// built with the stored history can continue the turn. If calls are waiting for approval, the turn ends at once.
    ///
    /// A turn that ended before its first step is not in the history. Its message is in [`Turn::returned`]; send it again.
    ///
    /// # Errors
    ///
    /// Returns [`ChatError::NothingToResume`] if the history is empty or ends with the model's answer, even if the answer was
    /// delivered through a tool call or was cut off. Also returns the same errors as [`send`](Self::send).
    pub async fn resume(&mut self) -> Result<Turn, ChatError> {
        self.stream_resume().finish().await
    }

    /// Like [`resume`](Self::resume), but returns a stream.
    pub fn stream_resume(&mut self) -> TurnStream<'_> {
        let task = self.rest();
        TurnStream::new(self, task)
    }

    /// Like [`resume`](Self::resume), but returns a stream that owns the chat.
    pub fn into_stream_resume(mut self) -> OwnedTurnStream {
        let task = self.rest();
        OwnedTurnStream::new(self, task)
    }

    /// Decides a call that is waiting for approval, and continues its turn. Any chat built with the stored history can decide the
    /// call, even in another process. If other calls are still waiting, the turn ends again. Then decide those calls.
    ///
    /// If the future or stream is dropped while a tool source is running the call, the call may have taken effect, and it can no
    /// longer be decided. A call to a server keeps waiting for a verdict, unless it is inside another call.
    ///
    /// # Errors
    ///
    /// Returns [`ChatError::Decision`] and leaves the history unchanged if no call with this id is waiting, the conversation has
    /// continued since, the call or the approval request was changed, the tool cannot be called now, or its server stopped before
    /// it answered. Also returns the same errors as [`send`](Self::send).
    pub async fn decide(
        &mut self,
        id: &str,
        verdict: impl Into<Verdict>,
    ) -> Result<Turn, ChatError> {
        self.stream_decide(id, verdict).finish().await
    }

    /// Like [`decide`](Self::decide), but returns a stream.
    pub fn stream_decide(&mut self, id: &str, verdict: impl Into<Verdict>) -> TurnStream<'_> {
        let task = self.decided(id, verdict.into());
        TurnStream::new(self, task)
    }

    /// Like [`decide`](Self::decide), but returns a stream that owns the chat.
    pub fn into_stream_decide(mut self, id: &str, verdict: impl Into<Verdict>) -> OwnedTurnStream {
        let task = self.decided(id, verdict.into());
        OwnedTurnStream::new(self, task)
    }

    /// Gives up the calls waiting for approval, and returns them. The conversation can then continue without a verdict. The results
    /// in the history then say that no verdict came. If a call is inside another call, the outer call has this result, and other
    /// calls inside it may have run.
    pub fn withdraw(&mut self) -> Vec<PendingCall> {
        let withdrawn = self.pending();
        let results = Arc::make_mut(&mut self.history).last_mut().into_iter();
        for part in results.flat_map(Message::results_mut) {
            let error = match &part.result {
                Err(ToolError::Pending(_)) => ToolError::denied(
                    &part.name,
                    "the conversation went on without a decision on it",
                ),
                Err(error @ ToolError::PendingInside(_)) => ToolError::failed(
                    &part.name,
                    "it was given up: the conversation went on without a decision on a call inside it; \
                     other calls inside it may have run"
                        .to_owned(),
                    error.applied(),
                ),
                _ => continue,
            };
            part.result = Err(error);
        }
        withdrawn
    }

    /// Completes a step whose results are missing, without a request and without running its calls again. If `has_forgotten` is
    /// `true`, the calls' servers may have forgotten whether the calls ran.
    #[doc(hidden)]
    pub fn stream_settled(&mut self, has_forgotten: bool) -> TurnStream<'_> {
        let task = self.rest().map(|task| task.settled(has_forgotten));
        TurnStream::new(self, task)
    }

    /// Checks that a message can be sent now.
    #[doc(hidden)]
    pub fn check_message(&self, message: &Message) -> Result<(), ChatError> {
        if message.is_empty() {
            return Err(ChatError::Empty);
        }
        let pending = self.pending();
        if !pending.is_empty() {
            return Err(ChatError::Pending(pending));
        }
        check_said(message, self.history.len())?;
        if !self.reads_images() && message.has_image() {
            return Err(ChatError::Images);
        }
        Ok(())
    }

    /// Checks that a call with this id is waiting for approval.
    #[doc(hidden)]
    pub fn check_decision(&self, id: &str) -> Result<(), ChatError> {
        open_call(&self.history, id).map(drop)
    }

    /// Creates a turn that starts with a user's message.
    fn say(
        &mut self,
        mut message: Message,
        answer: Option<Arc<AnswerSpec>>,
    ) -> Result<TurnTask, ChatError> {
        self.check_message(&message)?;
        message.is_repair = false;
        message.is_steered = false;
        let mut task = self.task(StepNumber::of_new_turn(&self.history));
        task.said = Some(message.clone());
        if let Some(answer) = &answer {
            answer.add_to(&mut message);
        }
        task.answer = answer;
        #[cfg(feature = "documents")]
        {
            let contexts = self.contexts.iter().cloned().map(MessagePart::Context);
            message.parts.extend(contexts);
        }
        Arc::make_mut(&mut task.history).push(message);
        if self.setup.keeper.is_some() {
            self.history = Arc::clone(&task.history);
            #[cfg(feature = "documents")]
            self.contexts.clear();
            task.are_kept();
        }
        Ok(task)
    }

    /// Creates a turn that continues the last turn.
    fn rest(&mut self) -> Result<TurnTask, ChatError> {
        if self.begun.is_none() && !history::is_unfinished(&self.history) {
            return Err(ChatError::NothingToResume);
        }
        let mut task = self.task(StepNumber::of_last_turn(&self.history));
        task.begun = self.begun.clone();
        Ok(task.of_last_turn())
    }

    /// Creates a turn that continues the last turn with a verdict.
    fn decided(&mut self, id: &str, verdict: Verdict) -> Result<TurnTask, ChatError> {
        let call = open_call(&self.history, id)?;
        let task = self.task(StepNumber::of_last_turn(&self.history));
        let mut task = task.of_last_turn();
        task.decision = Some(Decision { call, verdict });
        Ok(task)
    }
}

/// Checks that a message can come from the user. `index` is the message's place in the history, for errors.
pub fn check_said(message: &Message, index: usize) -> Result<(), ChatError> {
    if message.is_empty() {
        return Err(ChatError::Empty);
    }
    if message.role != Role::User {
        return Err(ChatError::Role(message.role));
    }
    if message.contexts().next().is_some() {
        let problem = "only the chat adds parts of the type `context`; send the text of the message without them";
        return Err(ChatError::History { index, problem });
    }
    message.check_media().map_err(ChatError::Media)?;
    history::check(std::slice::from_ref(message)).map_err(|error| match error {
        ChatError::History { problem, .. } => ChatError::History { index, problem },
        other => other,
    })
}

/// Returns the call with this id if it is waiting for approval and can be decided.
fn open_call(history: &[Message], id: &str) -> Result<PendingCall, ChatError> {
    let refused = |reason: &str| {
        Err(ChatError::Decision {
            id: id.to_owned(),
            reason: reason.to_owned(),
        })
    };
    let mut open = open_calls(history);
    if let Some(index) = open.iter().position(|call| call.id == id) {
        let call = open.swap_remove(index);
        return if is_unchanged(history, &call) {
            Ok(call)
        } else {
            refused("its message was changed since it was asked for")
        };
    }
    if let Some(inside) = open.iter().find(|call| call.call == id) {
        let id = &inside.id;
        return refused(&format!("it waits for a call inside it; decide on `{id}`"));
    }
    let call = id.split_once('/').map_or(id, |(call, _)| call);
    let mut earlier = history.iter().rev().skip(1).flat_map(Message::results);
    if earlier.any(|result| result.id == call && result.is_pending()) {
        return refused("the conversation has gone on since it was asked for");
    }
    if let Some(call) = open.iter().find(|call| call.request.id == id) {
        let id = &call.id;
        return refused(&format!(
            "this is the id of the request; write the id of its call, `{id}`, which `chat.pending()` has as `id`"
        ));
    }
    refused("no call with this id waits for approval")
}
