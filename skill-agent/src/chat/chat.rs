//! The conversation.

use super::answer::AnswerSpec;
use super::compact::Compacted;
use super::ids::StepNumber;
use super::setup::Setup;
use super::turn::{Decision, OwnedTurnStream, TurnStream, TurnTask, is_unchanged, open_calls};
use super::{
    Canceller, ChatBuilder, ChatError, ChatModel, Message, MessagePart, PendingCall, Role, Stop,
    SystemPart, Turn,
};
use crate::server::Verdict;
use crate::toolbox::Toolbox;
use serde::de::DeserializeOwned;
use skill_core::schemars::JsonSchema;
use std::fmt;
use std::sync::Arc;

/// A conversation of a person, a model and the tools of a toolbox.
///
/// ```
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// use serde_json::json;
/// use skill_agent::chat::{Chat, Scripted, Stop};
/// use skill_agent::prelude::*;
/// use skill_agent::toolbox::Toolbox;
/// # /// Notes of one person.
/// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// # #[serde(default)]
/// # #[skill(name = "notes", actions(AddNote))]
/// # pub struct Notes { pub lines: Vec<String> }
/// # /// Keep a note, and say how many there are.
/// # #[action]
/// # pub fn add_note(notes: &mut Notes, text: String) -> usize {
/// #     notes.lines.push(text);
/// #     notes.lines.len()
/// # }
/// # agent! { pub struct Assistant { name: "assistant", skills: [Notes] } }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = AgentServer::builder(Assistant::new()).start().await?;
/// let model = Scripted::new()
///     .calls([("add_note", json!({ "text": "Buy milk." }))])
///     .text("I noted it.");
/// let mut chat = Chat::builder(model, Toolbox::of(&server)).build()?;
/// let turn = chat.send("Remember to buy milk.").await?;
/// assert_eq!((turn.text(), turn.stop), ("I noted it.", Stop::Answered));
/// # Ok(())
/// # }
/// ```
pub struct Chat {
    setup: Arc<Setup>,
    pub(super) history: Arc<Vec<Message>>,
    compacted: Compacted,
    canceller: Canceller,
    /// Whether the last turn ended before the model was done.
    is_unfinished: bool,
}

impl Chat {
    /// Sets up a conversation of a model with the tools of a toolbox.
    pub fn builder(model: impl ChatModel, toolbox: Toolbox) -> ChatBuilder {
        ChatBuilder::new(model, toolbox)
    }

    pub(super) fn new(setup: Arc<Setup>, history: Vec<Message>) -> Self {
        Self {
            setup,
            history: Arc::new(history),
            compacted: Compacted::default(),
            canceller: Canceller::default(),
            is_unfinished: false,
        }
    }

    /// Says something to the model, and waits until the turn ends.
    ///
    /// # Errors
    ///
    /// [`ChatError::Model`] if the model fails for good; the history then has the steps that have ended. The message of the user is in
    /// it with the first of them.
    pub async fn send(&mut self, message: impl Into<Message>) -> Result<Turn, ChatError> {
        self.stream(message).finish().await
    }

    /// Says something to the model. The events of the turn are read from the stream.
    pub fn stream(&mut self, message: impl Into<Message>) -> TurnStream<'_> {
        let task = self.say(message.into(), None);
        TurnStream::new(self, task)
    }

    /// Like [`stream`](Self::stream), for a stream that owns the chat.
    pub fn into_stream(self, message: impl Into<Message>) -> OwnedTurnStream {
        let mut chat = self;
        let task = chat.say(message.into(), None);
        OwnedTurnStream::new(chat, task)
    }

    /// Asks for an answer of a type. The model may call tools before it answers. If the answer does not fit, the model is told once
    /// where.
    ///
    /// # Errors
    ///
    /// [`ChatError::Answer`] if the second answer does not fit either, [`ChatError::NoAnswer`] if the turn ends otherwise,
    /// [`ChatError::Schema`] if the provider cannot read the schema of the type, and those of [`send`](Self::send).
    pub async fn ask<T: DeserializeOwned + JsonSchema>(
        &mut self,
        message: impl Into<Message>,
    ) -> Result<T, ChatError> {
        let profile = &self.setup.profile;
        let spec = AnswerSpec::of::<T>(profile.answer_form, profile.provider)?;
        let spec = Arc::new(spec);
        let task = self.say(message.into(), Some(Arc::clone(&spec)));
        let turn = TurnStream::new(self, task).finish().await?;
        if turn.stop != Stop::Answered {
            return Err(ChatError::NoAnswer(Box::new(turn)));
        }
        spec.read(turn.text()).map_err(ChatError::Answer)
    }

    /// Goes on with a turn that ended at a limit, was cancelled or failed, with fresh limits. While calls wait for approval, the turn
    /// ends at once.
    ///
    /// # Errors
    ///
    /// [`ChatError::NothingToResume`] if the model has answered, and those of [`send`](Self::send).
    pub async fn resume(&mut self) -> Result<Turn, ChatError> {
        self.stream_resume().finish().await
    }

    /// Like [`resume`](Self::resume), as a stream.
    pub fn stream_resume(&mut self) -> TurnStream<'_> {
        let last = self.history.last().map(|message| message.role);
        let is_open = self.is_unfinished || last.is_some_and(|role| role != Role::Assistant);
        let task = if is_open && last.is_some() {
            Ok(self.continued(None))
        } else {
            Err(ChatError::NothingToResume)
        };
        TurnStream::new(self, task)
    }

    /// Decides on a call that waits for approval, and goes on with its turn. The chat may be another one, in another process, with the
    /// stored history. If other calls wait too, the turn ends again until they are decided.
    ///
    /// # Errors
    ///
    /// [`ChatError::Decision`] if no call with this id waits, if the conversation has gone on since, or if the call or the request was
    /// changed. The history is then unchanged. And those of [`send`](Self::send).
    pub async fn decide(
        &mut self,
        id: &str,
        verdict: impl Into<Verdict>,
    ) -> Result<Turn, ChatError> {
        self.stream_decide(id, verdict).finish().await
    }

    /// Like [`decide`](Self::decide), as a stream.
    pub fn stream_decide(&mut self, id: &str, verdict: impl Into<Verdict>) -> TurnStream<'_> {
        let verdict = verdict.into();
        let call = open_call(&self.history, id);
        let task = call.map(|call| self.continued(Some(Decision { call, verdict })));
        TurnStream::new(self, task)
    }

    /// The calls that wait for approval.
    #[must_use]
    pub fn pending(&self) -> Vec<PendingCall> {
        open_calls(&self.history)
    }

    /// The messages of all steps that have ended. They can be stored, and given to another chat.
    #[must_use]
    pub fn history(&self) -> &[Message] {
        &self.history
    }

    /// The system text in its parts, each with its origin. It is the same in all requests.
    #[must_use]
    pub fn system_parts(&self) -> &[SystemPart] {
        &self.setup.system
    }

    /// The system text as it is sent.
    #[must_use]
    pub fn system_text(&self) -> String {
        super::model::system_text(&self.setup.system)
    }

    /// A handle that cancels the turns of this chat.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }

    /// Notes how a turn has ended.
    pub(super) fn ended(&mut self, turn: &Turn, compacted: Compacted) {
        self.compacted = compacted;
        self.is_unfinished = !matches!(turn.stop, Stop::Answered | Stop::Refused | Stop::Truncated);
    }

    /// The turn of a message of the user.
    fn say(
        &mut self,
        mut message: Message,
        answer: Option<Arc<AnswerSpec>>,
    ) -> Result<TurnTask, ChatError> {
        let has_image = |part: &MessagePart| matches!(part, MessagePart::Image(_));
        if !self.setup.profile.images && message.parts.iter().any(has_image) {
            return Err(ChatError::Images);
        }
        message.role = Role::User;
        if let Some(answer) = &answer {
            answer.add_to(&mut message);
        }
        let mut task = self.task(StepNumber::of_new_turn(&self.history));
        task.answer = answer;
        Arc::make_mut(&mut task.history).push(message);
        Ok(task)
    }

    /// The rest of the last turn.
    fn continued(&mut self, decision: Option<Decision>) -> TurnTask {
        let mut task = self.task(StepNumber::of_last_turn(&self.history));
        task.decision = decision;
        task
    }

    fn task(&mut self, number: StepNumber) -> TurnTask {
        let interruption = self.canceller.begin(self.setup.limits.time);
        TurnTask::new(
            Arc::clone(&self.setup),
            Arc::clone(&self.history),
            self.compacted.clone(),
            interruption,
            number,
        )
    }
}

/// The call with an id, if it can be decided.
fn open_call(history: &[Message], id: &str) -> Result<PendingCall, ChatError> {
    let refused = |reason: &str| {
        Err(ChatError::Decision {
            id: id.to_owned(),
            reason: reason.to_owned(),
        })
    };
    let found = open_calls(history).into_iter().find(|call| call.id == id);
    if let Some(call) = found {
        return if is_unchanged(history, id) {
            Ok(call)
        } else {
            refused("its message was changed since it was asked for")
        };
    }
    let mut results = history.iter().flat_map(Message::results);
    if results.any(|result| result.id == id && result.is_pending()) {
        return refused("the conversation has gone on since it was asked for");
    }
    refused("no call with this id waits for approval")
}

impl fmt::Debug for Chat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chat")
            .field("messages", &self.history.len())
            .finish_non_exhaustive()
    }
}
