//! Events and results of a turn.

use super::{CallPart, Message, ModelError, Usage};
use serde_json::Value;
use skill_agent_models::Repair;
use skill_agent_server::ApprovalRequest;
use skill_agent_toolbox::{ToolError, ToolOutput};
use std::fmt;
use std::time::Duration;

/// An event emitted during a turn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A message from the user. The event is sent when a turn of a durable conversation starts, or when the message enters a
    /// running turn. A [`Chat`](super::Chat) never sends this event.
    Said(Message),
    /// Documents were selected for the user's message, or states of skills were added to it. The selection may be empty.
    Selected(Selected),
    /// A piece of the model's text.
    Text(String),
    /// A piece of the model's reasoning.
    Reasoning(String),
    /// A piece of a call, sent while the model is writing the call.
    CallDelta {
        /// The index of the call in the completion, starting at 0.
        index: usize,
        /// The name of the tool, usually in the first piece only. If a server sends the name in parts, each of these pieces has
        /// the name so far.
        name: Option<String>,
        /// A piece of the arguments' JSON text.
        arguments: String,
    },
    /// A call starts.
    Calling(CallPart),
    /// A call reports progress. Reports come in order, between the start and the end of the call.
    Progress(Progress),
    /// A call has ended. Parallel calls end in any order.
    Called(Called),
    /// A call is waiting for approval. The turn ends with the step, and [`Chat::decide`](super::Chat::decide) continues it.
    Approval(Box<PendingCall>),
    /// A request failed and will be sent again.
    Retry(Retry),
    /// The chat switched to another model of a [`Fallback`](super::Fallback).
    Switched(Switched),
    /// A step is complete, and its messages are in the history.
    StepEnd(StepEnd),
    /// A verdict changed the last message of the history.
    Decided(Decided),
    /// The turn has ended.
    Done(Turn),
    /// Events were lost or the history is a different one, because the program was restarted, turns were taken back or brought back,
    /// or the conversation was deleted and begun anew. Load the history again, which is complete.
    Restarted,
    /// `count` events were dropped before they could be read. The history of the conversation is still complete.
    #[non_exhaustive]
    Lost {
        /// The number of dropped events.
        count: u64,
    },
}

impl Event {
    #[doc(hidden)]
    #[must_use]
    pub fn lost(count: u64) -> Self {
        Self::Lost { count }
    }
}

/// The texts and documents that the chat added to the user's message.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Selected {
    /// The message as the model gets it, with the texts that were added.
    pub message: Message,
    /// The ids of the documents that the message activated. A text that the model has already read is not repeated.
    pub loaded: Vec<String>,
    /// The explanation for a person: the tier, and a line for each document with the reason. Empty if the policy selects nothing.
    pub explanation: String,
}

/// Progress of a call, reported by an async action or a tool source while it runs. The model does not see it.
///
/// The call keeps running even if you do not read the events. At most
/// [`PROGRESS_CAPACITY`](skill_agent_server::PROGRESS_CAPACITY) values are queued; after that, each new value replaces the
/// oldest.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// The [id](CallPart::id) of the call.
    pub id: String,
    /// The name of the called tool.
    pub name: String,
    /// The reported value.
    pub value: Value,
}

/// A completed call and its result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Called {
    /// The [id](CallPart::id) of the call.
    pub id: String,
    /// The name of the called tool.
    pub name: String,
    /// The arguments as the model wrote them.
    pub arguments: String,
    /// Repairs of arguments that did not fit as written.
    pub repairs: Vec<Repair>,
    /// The output or error that the model reads.
    pub result: Result<ToolOutput, ToolError>,
}

/// A call waiting for approval.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PendingCall {
    /// The id for [`Chat::decide`](super::Chat::decide): the [id](CallPart::id) of the call. For a call inside that call, such as a
    /// call of a [`chat_tool`](super::chat_tool), a slash and the id of the approval request follow.
    pub id: String,
    /// The approval request to show to the approver.
    pub request: ApprovalRequest,
    /// The [id](CallPart::id) of the call in this chat, as in [`Called`] and [`Decided`].
    pub call: String,
}

/// A failed request that will be sent again.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Retry {
    /// The number of the next attempt. The first retry is attempt 2.
    pub attempt: u32,
    /// The delay before the next attempt.
    pub wait: Duration,
    /// If `true`, discard the pieces of this step that you have already shown, because the model sends them again.
    pub discard: bool,
    /// The error of the failed request.
    pub error: ModelError,
}

/// A switch to another model of a [`Fallback`](super::Fallback). It comes before the pieces of that model, so there is nothing to
/// discard. The next request begins with the chain's first model again, unless that model has failed too recently.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Switched {
    /// The number of the model in its chain, starting at 0.
    pub model: usize,
    /// Why the previous model did not answer.
    pub error: ModelError,
    /// Whether the provider's cache of the conversation's beginning is lost, because a different model answered this chat's last
    /// request. The provider then reads the whole request again, for the full price.
    pub cache_lost: bool,
}

/// The end of a step: a request, its completion and the results of its calls.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StepEnd {
    /// The number of the step in its turn, starting at 1. Further requests that a layer sent during a step are counted as steps
    /// too.
    pub step: usize,
    /// The messages of the step, which are now in the history.
    pub messages: Vec<Message>,
    /// The tokens used in the step, as reported by the provider. Failed attempts count too.
    pub usage: Usage,
}

/// A change to the history by [`Chat::decide`](super::Chat::decide): a new last message, which contains the call's result.
///
/// If the call now runs in a tool source, it causes two events. The first comes before the call runs; its result says that the
/// call was interrupted and may have taken effect. If the turn is dropped, this result stays in the history; if not, the second
/// event carries the real result. An async action of a server in a durable conversation causes two events too. Otherwise there is
/// one event, for example for a rejection or another call of a server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decided {
    /// The [id](CallPart::id) of the call.
    pub id: String,
    /// The message that replaces the last one in the history.
    pub message: Message,
}

/// A turn that has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Turn {
    /// Why the turn ended.
    pub stop: Stop,
    /// The turn's calls with their results, in order.
    pub calls: Vec<Called>,
    /// Calls waiting for approval.
    pub pending: Vec<PendingCall>,
    /// The tokens used in the turn. Failed and interrupted attempts count if the provider counted them. Chats that ran as tools
    /// count too.
    pub usage: Usage,
    /// The number of steps. Retries do not count, but additional requests of a layer do.
    pub steps: usize,
    /// The user's message, if the turn ended before its first step. The history does not contain the message, so send it again
    /// instead of [resuming](super::Chat::resume).
    pub returned: Option<Message>,
    /// Why a layer ended the turn, with [`Stop::Layer`] or [`Stop::Budget`], or made it reach a limit.
    pub note: Option<String>,
    pub(super) text: String,
}

impl Turn {
    /// Returns the text of the last completion.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Writes the [text](Turn::text).
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stop {
    /// The model answered. The text is empty if the model wrote only reasoning, or nothing.
    Answered,
    /// Calls are waiting for approval. Continue with [`Chat::decide`](super::Chat::decide).
    Approval,
    /// An approver [aborted](skill_agent_server::Verdict::Abort) a call.
    Aborted,
    /// The turn reached its step limit. Continue with [`Chat::resume`](super::Chat::resume).
    Steps,
    /// The turn reached its token limit.
    Tokens,
    /// The turn reached its time limit.
    Time,
    /// The model made the same call too many times in a row.
    Repeated,
    /// The completion was cut off at its own token limit or at the end of the model's context window.
    Truncated,
    /// The model refused, or the provider withheld the completion.
    Refused,
    /// A [`Canceller`](super::Canceller) cancelled the turn.
    Cancelled,
    /// A [layer](super::ChatLayer) ended the turn. [`Turn::note`] has its reason.
    Layer,
    /// A [`Budget`](super::Budget) is spent.
    Budget,
}
