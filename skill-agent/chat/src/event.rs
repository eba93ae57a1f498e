//! Events of a turn, and its end.

use super::{CallPart, Message, ModelError, Usage};
use serde_json::Value;
use skill_agent_models::Repair;
use skill_agent_server::ApprovalRequest;
use skill_agent_toolbox::{ToolError, ToolOutput};
use std::time::Duration;

/// An event of a turn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A piece of text of the model.
    Text(String),
    /// A piece of its reasoning.
    Reasoning(String),
    /// A piece of a call that the model is writing.
    CallDelta {
        /// The number of the call in this completion.
        index: usize,
        /// The name of the tool, in the first piece.
        name: Option<String>,
        /// A piece of the arguments.
        arguments: String,
    },
    /// A call begins.
    Calling(CallPart),
    /// A call reports its progress. It comes after the beginning of the call and before its end, in the order of the reports.
    Progress(Progress),
    /// A call has ended. Calls that run in parallel end in any order.
    Called(Called),
    /// A call waits for approval. The turn ends with the step; [`Chat::decide`](super::Chat::decide) continues it.
    Approval(Box<PendingCall>),
    /// The request failed, and is sent again.
    Retry(Retry),
    /// A step has ended, and its messages are in the history.
    StepEnd(StepEnd),
    /// A verdict has changed the last message of the history.
    Decided(Decided),
    /// The turn has ended.
    Done(Turn),
}

/// The progress of a call: what an async action or a source of tools reports while it runs. The model does not see it.
///
/// A call goes on while the events are not read. At most [`PROGRESS_CAPACITY`](skill_agent_server::PROGRESS_CAPACITY) values of it wait; a
/// further one drops the oldest.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// The [id](CallPart::id) of the call.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The value that the tool reports.
    pub value: Value,
}

/// A call and its result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Called {
    /// The [id](CallPart::id) of the call.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments as the model wrote them.
    pub arguments: String,
    /// The changes with which the tool has read the arguments, if they did not fit as they were written.
    pub repairs: Vec<Repair>,
    /// The output or the error, which the model reads.
    pub result: Result<ToolOutput, ToolError>,
}

/// A call that waits for approval.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PendingCall {
    /// The [id](CallPart::id) of the call, for [`Chat::decide`](super::Chat::decide).
    pub id: String,
    /// The request, for the person who decides.
    pub request: ApprovalRequest,
}

/// A request that failed and is sent again.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Retry {
    /// The number of the next attempt; the first retry is 2.
    pub attempt: u32,
    /// The time until then.
    pub wait: Duration,
    /// Whether the pieces of this step that were shown are void: discard them.
    pub discard: bool,
    /// Why the request failed.
    pub error: ModelError,
}

/// The end of a step: a request, its completion and the results of its calls.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StepEnd {
    /// The number of the step in its turn, counted from 1.
    pub step: usize,
    /// The messages of the step, which are now in the history.
    pub messages: Vec<Message>,
    /// The tokens of the step, with those of attempts that failed, as far as the provider has counted them.
    pub usage: Usage,
}

/// A change of the history by [`Chat::decide`](super::Chat::decide): its last message, which has the result of the call, is replaced.
///
/// Before a call of a source runs, there is one whose result says that the call was interrupted and has perhaps taken effect. It stays if the
/// turn is dropped, and otherwise a second event with the result follows. Calls of servers have one event, since they still wait until their
/// result is known.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decided {
    /// The [id](CallPart::id) of the call.
    pub id: String,
    /// The message that takes the place of the last one of the history.
    pub message: Message,
}

/// A turn that has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Turn {
    /// Why it ended.
    pub stop: Stop,
    /// The calls of the turn with their results, in their order.
    pub calls: Vec<Called>,
    /// The calls that wait for approval.
    pub pending: Vec<PendingCall>,
    /// The tokens of the turn, with those of attempts that failed or were interrupted, as far as the provider has counted them.
    pub usage: Usage,
    /// The number of steps. A request that was sent again is no further step.
    pub steps: usize,
    /// The message of the user, if the turn ended before its first step. It is not in the history: send it again instead of
    /// [resuming](super::Chat::resume).
    pub returned: Option<Message>,
    pub(super) text: String,
}

impl Turn {
    /// The text of the last completion.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Why a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stop {
    /// The model has answered. The text is empty if it wrote reasoning alone, or nothing.
    Answered,
    /// Calls wait for approval: [`Chat::decide`](super::Chat::decide).
    Approval,
    /// An approver has [aborted](skill_agent_server::Verdict::Abort) a call.
    Aborted,
    /// The limit of steps is reached: [`Chat::resume`](super::Chat::resume) goes on.
    Steps,
    /// The limit of tokens is reached.
    Tokens,
    /// The limit of time is reached.
    Time,
    /// The model has made the same call again and again.
    Repeated,
    /// The completion was cut off at the limit of tokens of a completion.
    Truncated,
    /// The model refused, or the provider withheld the completion.
    Refused,
    /// The program has cancelled the turn.
    Cancelled,
}
