//! The guard, which decides on every action before it runs, and the approver.

use serde_json::Value;
use skill_core::{ActionSpec, Caller, Hints, Tool, ToolBuf};
use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// An action that is about to run.
#[derive(Clone)]
#[non_exhaustive]
pub struct Attempt<'a> {
    /// Who asks for it.
    pub caller: Caller,
    /// The action as a tool, under its name in the agent.
    pub tool: Tool<'a>,
    pub(crate) arguments: &'a dyn Fn() -> Value,
}

impl Attempt<'_> {
    /// The arguments of the action as JSON, converted by this call.
    pub fn arguments(&self) -> Value {
        (self.arguments)()
    }
}

impl fmt::Debug for Attempt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt")
            .field("caller", &self.caller)
            .field("tool", &self.tool.name)
            .finish_non_exhaustive()
    }
}

/// The decision of a guard.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// The action may run.
    Allow,
    /// The action may not run, with the reason.
    Deny(Cow<'static, str>),
    /// The [`Approver`] decides; a server without one denies.
    Ask,
}

/// Decides on every action before it runs. Quotas, rate limits and authorization are guards.
///
/// ```
/// use skill_agent::server::{Attempt, CallerKind, Decision, Guard};
/// let models_only_read = |attempt: &Attempt<'_>| match attempt.caller.kind() {
///     CallerKind::Model if !attempt.tool.hints.read_only => Decision::Deny("models only read here".into()),
///     _ => Decision::Allow,
/// };
/// fn takes(_: impl Guard) {}
/// takes(models_only_read);
/// ```
pub trait Guard: Send + Sync + 'static {
    /// Decides. This runs in the server's task and must not block.
    fn check(&self, attempt: &Attempt<'_>) -> Decision;
}

impl<F: Fn(&Attempt<'_>) -> Decision + Send + Sync + 'static> Guard for F {
    fn check(&self, attempt: &Attempt<'_>) -> Decision {
        self(attempt)
    }
}

/// The default guard: a `destructive` action that a model, an MCP client or a document asks for needs approval
/// ([`Decision::Ask`]); everything else is allowed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConfirmDestructive;

impl ConfirmDestructive {
    pub(crate) fn decide(caller: &Caller, hints: Hints) -> Decision {
        if hints.destructive && caller.is_foreign() {
            Decision::Ask
        } else {
            Decision::Allow
        }
    }
}

impl Guard for ConfirmDestructive {
    fn check(&self, attempt: &Attempt<'_>) -> Decision {
        Self::decide(&attempt.caller, attempt.tool.hints)
    }
}

/// An action that an [`Approver`] decides on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// Who asks for the action.
    pub caller: Caller,
    /// The action as a tool, under its name in the agent.
    pub tool: ToolBuf,
    /// The arguments of the action.
    pub arguments: Value,
}

impl ApprovalRequest {
    pub(crate) fn new(caller: &Caller, action: &ActionSpec, arguments: Value) -> Self {
        Self {
            caller: caller.clone(),
            tool: action.into(),
            arguments,
        }
    }
}

/// Approves actions for which the guard decided [`Decision::Ask`], usually by asking a person. The server continues
/// meanwhile.
///
/// Every `Fn(ApprovalRequest) -> impl Future<Output = bool>` is one.
pub trait Approver: Send + Sync + 'static {
    /// Whether the action may run.
    fn approve(&self, request: ApprovalRequest) -> Pin<Box<dyn Future<Output = bool> + Send>>;
}

impl<F, Fut> Approver for F
where
    F: Fn(ApprovalRequest) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = bool> + Send + 'static,
{
    fn approve(&self, request: ApprovalRequest) -> Pin<Box<dyn Future<Output = bool> + Send>> {
        Box::pin(self(request))
    }
}

/// A decision, after a look at whether the server has an approver.
pub(crate) enum GuardOutcome {
    Allow,
    Ask,
    Deny(Cow<'static, str>),
}
