//! Approval requests, verdicts and the approver.

use crate::preview::Preview;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_core::child::BoxFuture;
use skill_core::process;
use skill_core::{Action, Caller, Instruction, Signal, Skill, Tool, ToolBuf};
use std::borrow::Cow;
use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

/// The maximum number of requests that wait for a server's [`Approver`]. At the maximum, the server denies other actions that need
/// approval.
pub const OPEN_APPROVALS: usize = 1_000;

/// The default for [`approver_time_limit`](crate::AgentServerBuilder::approver_time_limit).
pub const APPROVER_TIME_LIMIT: Duration = Duration::from_secs(5 * 60);

/// An action that an [`Approver`] decides on.
///
/// A request can be serialized and decided later, even by a different process; see [`Verdict::Later`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// A unique id, empty until the approver is asked.
    pub id: String,
    /// The caller that wants to run the action.
    pub caller: Caller,
    /// The action as a tool, with its name in the agent.
    pub tool: ToolBuf,
    /// The declared name of the skill.
    pub skill: String,
    /// The action's declared name, which does not depend on an alias of the skill.
    pub action: String,
    /// The action's arguments, including defaults.
    pub arguments: Value,
    /// The action's preview at the time of the request, or the reason for a missing preview. For example, the action is async or
    /// would fail. A deferred request from a foreign caller has no preview, because that caller may not see the output yet.
    pub preview: Result<Preview, String>,
    /// Whether the person behind the caller may decide; see [`Verdict::AskCaller`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub caller_decides: bool,
    /// The command that the action is part of.
    pub(crate) command: PendingCommand,
    /// The seal of the server that created the request, empty until the decision is deferred.
    #[doc(hidden)]
    #[serde(default)]
    pub seal: String,
}

/// The command that a request is part of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PendingCommand {
    /// The idempotency key in its stored form and as the caller gave it, or `None` for a signal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) signal: Option<Box<PendingSignal>>,
}

/// A signal with an instruction that is waiting for approval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PendingSignal {
    pub(crate) signal: Signal,
    /// The number of instructions that the signal leads to, if known.
    pub(crate) count: Option<usize>,
    /// The index of the waiting instruction among these instructions.
    pub(crate) index: usize,
    pub(crate) instruction: Instruction,
    /// The instructions that have already been approved.
    pub(crate) decided: Vec<DecidedInstruction>,
}

/// An approved instruction of a signal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DecidedInstruction {
    pub(crate) index: usize,
    pub(crate) instruction: Instruction,
    /// The arguments that the approver saw.
    pub(crate) seen: Value,
    /// The approver's arguments, if they replace the original ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replaced: Option<Value>,
}

impl ApprovalRequest {
    /// Creates a request for an action, given the declared names of the skill and the action. The id stays empty until the
    /// approver is asked.
    #[doc(hidden)]
    pub fn new(
        caller: &Caller,
        tool: &Tool<'_>,
        (skill, action): (&str, &str),
        arguments: Value,
    ) -> Self {
        Self {
            id: String::new(),
            caller: caller.clone(),
            tool: tool.to_buf(),
            skill: skill.to_owned(),
            action: action.to_owned(),
            arguments,
            preview: Err("the request has no preview".into()),
            caller_decides: false,
            command: PendingCommand::default(),
            seal: String::new(),
        }
    }

    /// Returns the idempotency key that the caller gave.
    #[doc(hidden)]
    pub fn caller_key(&self) -> Option<&str> {
        let (_, given) = self.command.key.as_ref()?;
        Some(given)
    }

    /// Sets the idempotency key of a call that no server stores.
    #[doc(hidden)]
    pub fn set_caller_key(&mut self, key: Option<&str>) {
        self.command.key = key.map(|key| (String::new(), key.to_owned()));
    }

    /// Returns the typed action if the request is for action `A`, in any instance of its skill.
    pub fn of<A: Action>(&self) -> Option<A> {
        let is_for = self.skill == <A::Skill as Skill>::SPEC.name && self.action == A::NAME;
        is_for.then(|| process::from_arguments(&self.arguments).ok())?
    }
}

/// An [`Approver`]'s decision on one call with its arguments. A `bool` converts to a verdict: `true` to [`Approve`](Self::Approve),
/// and `false` to [`Deny`](Self::Deny).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verdict {
    /// The action runs.
    Approve,
    /// The action runs with these arguments instead of its own. The guard checks these arguments too, and may deny the action.
    ApproveWith(Value),
    /// The action does not run, for the given reason.
    Deny(Cow<'static, str>),
    /// The action does not run, and the caller should stop. It gets [`ServeError::Aborted`](crate::ServeError::Aborted) with the
    /// given reason.
    Abort(Cow<'static, str>),
    /// The decision is made later, with [`AgentServer::decide`](crate::AgentServer::decide). The call fails with
    /// [`ServeError::Pending`](crate::ServeError::Pending), and nothing runs. Only a caller that is waiting for the call can
    /// receive the request. For a directive or a sent signal, this verdict therefore denies the action.
    Later,
    /// Like [`Later`](Self::Later), but the person behind the caller, such as the user of an MCP client, may decide:
    /// [`ApprovalRequest::caller_decides`] is `true`.
    AskCaller,
}

/// The effect of a verdict on a call.
pub enum Ruling {
    /// The action runs, with the approver's arguments if they are `Some`.
    Run(Option<Value>),
    /// The action does not run.
    Reject(Rejection),
    /// The decision is made later.
    Defer {
        /// Whether the person behind the caller may decide.
        caller_decides: bool,
    },
}

/// A verdict that prevents an action.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rejection {
    /// The approver's reason.
    pub reason: Cow<'static, str>,
    /// Whether the caller should stop.
    pub is_abort: bool,
}

/// Formats the reason for a denial if the approver's arguments are invalid for the action.
pub fn wrong_replacement(error: impl Display) -> String {
    format!("the arguments of the approver are wrong: {error}")
}

impl From<Verdict> for Ruling {
    fn from(verdict: Verdict) -> Self {
        let reject = |reason, is_abort| Self::Reject(Rejection { reason, is_abort });
        match verdict {
            Verdict::Approve => Self::Run(None),
            Verdict::ApproveWith(arguments) => Self::Run(Some(arguments)),
            Verdict::Deny(reason) => reject(reason, false),
            Verdict::Abort(reason) => reject(reason, true),
            Verdict::Later | Verdict::AskCaller => Self::Defer {
                caller_decides: verdict == Verdict::AskCaller,
            },
        }
    }
}

impl From<bool> for Verdict {
    fn from(is_approved: bool) -> Self {
        if is_approved {
            Self::Approve
        } else {
            Self::Deny("the approver denied it".into())
        }
    }
}

/// Decides on actions for which the guard returned [`Decision::Ask`](super::Decision::Ask), usually by asking a person. The
/// server continues in the meantime.
///
/// Implemented for functions that take an [`ApprovalRequest`] and return a [`Verdict`], or a future of a `Verdict` or a `bool`.
/// An approver that takes longer than [`approver_time_limit`](crate::AgentServerBuilder::approver_time_limit) is dropped, and the
/// action is denied.
///
/// ```
/// use skill_agent::server::{ApprovalRequest, Approver, Verdict};
/// fn takes(_: impl Approver) {}
/// takes(|request: ApprovalRequest| async move { request.tool.name != "pay" });
/// takes(|_: ApprovalRequest| Verdict::Later);
/// ```
///
/// A closure that uses its parameter must name the parameter's type. Otherwise, rustc reports E0282.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an approver, which takes an `ApprovalRequest` and returns a `Verdict`, or a future of a `Verdict` or `bool`",
    label = "not an approver",
    note = "write `|request: ApprovalRequest| async move {{ request.tool.name != \"pay\" }}`, or `|_: ApprovalRequest| Verdict::Later` for a verdict at once; a `bool` at once is written `Verdict::from(true)`"
)]
pub trait Approver: Send + Sync + 'static {
    /// Decides whether the action may run.
    fn approve(&self, request: ApprovalRequest) -> BoxFuture<Verdict>;
}

#[diagnostic::do_not_recommend]
impl<F, V> Approver for F
where
    F: Fn(ApprovalRequest) -> V + Send + Sync + 'static,
    V: FutureVerdict,
{
    fn approve(&self, request: ApprovalRequest) -> BoxFuture<Verdict> {
        self(request).decided()
    }
}

/// The return type of an approver's function: a [`Verdict`], or a future of a `Verdict` or a `bool`. Do not implement this trait.
pub trait FutureVerdict {
    #[doc(hidden)]
    fn decided(self) -> BoxFuture<Verdict>;
}

impl FutureVerdict for Verdict {
    fn decided(self) -> BoxFuture<Verdict> {
        Box::pin(std::future::ready(self))
    }
}

impl<F: Future<Output: Into<Verdict>> + Send + 'static> FutureVerdict for F {
    fn decided(self) -> BoxFuture<Verdict> {
        Box::pin(async move { self.await.into() })
    }
}
