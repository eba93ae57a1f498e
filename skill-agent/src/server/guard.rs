//! Who may run what: one guard sits before every action, whoever asks for it.

use serde_json::Value;
use skill_core::ActionSpec;
use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// Who asks for an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Caller {
    /// Code of the program.
    #[default]
    Code,
    /// The agent itself, by a directive or by what an async action queued.
    Agent,
    /// A signal.
    Signal,
    /// A model.
    Model,
    /// An MCP client.
    Mcp,
    /// A document: a SKILL.md command.
    Document,
}

impl Caller {
    /// Whether somebody decides who is not the author of the program.
    pub fn is_foreign(self) -> bool {
        matches!(self, Self::Model | Self::Mcp | Self::Document)
    }
}

/// What the guard is told of an action that is about to run.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Attempt<'a> {
    /// Who asks.
    pub caller: Caller,
    /// Which action, under the name it has in the agent.
    pub action: &'a ActionSpec,
    pub(crate) arguments: &'a dyn Fn() -> Value,
}

impl Attempt<'_> {
    /// Its arguments as JSON; made when asked for.
    pub fn arguments(&self) -> Value {
        (self.arguments)()
    }
}

impl fmt::Debug for Attempt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt")
            .field("caller", &self.caller)
            .field("action", &self.action.name)
            .finish_non_exhaustive()
    }
}

/// What the guard says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// It may run.
    Allow,
    /// It may not, and why.
    Deny(Cow<'static, str>),
    /// A person decides; without an [`Approver`] the answer is no.
    Ask,
}

/// Decides on every action before it runs. Quotas, rate limits and authorization (seed 000, section 15) are guards.
///
/// ```
/// use skill_agent::server::{Attempt, Caller, Decision, Guard};
/// let models_only_read = |attempt: &Attempt<'_>| match attempt.caller {
///     Caller::Model if !attempt.action.hints.read_only => Decision::Deny("models only read here".into()),
///     _ => Decision::Allow,
/// };
/// fn takes(_: impl Guard) {}
/// takes(models_only_read);
/// ```
pub trait Guard: Send + Sync + 'static {
    /// Decides. Runs in the server's task: it must not block.
    fn check(&self, attempt: &Attempt<'_>) -> Decision;
}

impl<F: Fn(&Attempt<'_>) -> Decision + Send + Sync + 'static> Guard for F {
    fn check(&self, attempt: &Attempt<'_>) -> Decision {
        self(attempt)
    }
}

/// The guard that holds where none is given: a `destructive` action that a model, an MCP client or a document asks for is
/// [`Decision::Ask`]; everything else is allowed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConfirmDestructive;

impl Guard for ConfirmDestructive {
    fn check(&self, attempt: &Attempt<'_>) -> Decision {
        match attempt.action.hints.destructive && attempt.caller.is_foreign() {
            true => Decision::Ask,
            false => Decision::Allow,
        }
    }
}

/// What a person is asked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Question {
    /// Who wants it.
    pub caller: Caller,
    /// The action.
    pub action: ActionSpec,
    /// Its arguments.
    pub arguments: Value,
}

impl Question {
    pub(crate) fn new(caller: Caller, action: &ActionSpec, arguments: Value) -> Self {
        Self {
            caller,
            action: *action,
            arguments,
        }
    }
}

/// Asks a person, when the guard says [`Decision::Ask`]. The server goes on meanwhile.
///
/// Every `Fn(Question) -> impl Future<Output = bool>` is one.
pub trait Approver: Send + Sync + 'static {
    /// Whether it may run.
    fn approve(&self, question: Question) -> Pin<Box<dyn Future<Output = bool> + Send>>;
}

impl<F, Fut> Approver for F
where
    F: Fn(Question) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = bool> + Send + 'static,
{
    fn approve(&self, question: Question) -> Pin<Box<dyn Future<Output = bool> + Send>> {
        Box::pin(self(question))
    }
}

/// What the guard said, as far as the server goes on by it.
pub(crate) enum Pass {
    Go,
    /// There is somebody to be asked.
    Ask,
    No(Cow<'static, str>),
}
