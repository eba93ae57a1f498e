//! How calls, signals and starts fail.

use crate::store::StoreError;
use skill_core::{CallError, DeliverError, RunError, StateError};
use std::borrow::Cow;
use std::error::Error as StdError;
use std::sync::Arc;

/// Why a server did not answer with what was asked for. `E` is the error of what was asked: an action's own type for
/// [`AgentServer::call`](crate::AgentServer::call), [`SignalError`] for a signal.
///
/// Whatever the variant, the agent is as it was before the command, but for `Deadline { applied: true }`.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError<E> {
    /// It failed in its own way.
    #[error("{0}")]
    Action(E),
    /// An async action succeeded, and what it queued with `cx.then` failed: nothing of it is kept.
    #[error("what the action queued failed: {0}")]
    Then(Arc<ThenError>),
    /// The server has stopped, or is about to.
    #[error("the server has stopped")]
    Stopped,
    /// The mailbox is full, or too many async actions wait; try again later.
    #[error("the server has no room for another message now")]
    Full,
    /// Time ran out.
    #[error("the deadline has passed{}", if *.applied { "; the command was applied" } else { "; nothing was applied" })]
    #[non_exhaustive]
    Deadline {
        /// Whether the command was recorded before it.
        applied: bool,
    },
    /// User code panicked; the server lives on.
    #[error("the code of the agent panicked: {message}")]
    #[non_exhaustive]
    Panicked {
        /// What the panic said.
        message: String,
    },
    /// The store did not take the record; the command was undone.
    #[error("the command could not be stored and was undone: {0}")]
    Store(Arc<StoreError>),
    /// The guard said no, or nobody was there to be asked.
    #[error("`{action}` was denied: {reason}")]
    #[non_exhaustive]
    Denied {
        /// The name of the action.
        action: Cow<'static, str>,
        /// Why.
        reason: Cow<'static, str>,
    },
    /// One command led to another too often; see [`MAX_HOPS`](crate::server::MAX_HOPS).
    #[error("a chain of more than {max} commands, each the cause of the next, was cut")]
    #[non_exhaustive]
    TooManyHops {
        /// How many there may be.
        max: u32,
    },
    /// The answer cannot be kept by its key, so that nothing could tell when the command comes again; it was undone.
    #[error("the answer cannot be kept by its key, and the command was undone: {reason}")]
    #[non_exhaustive]
    IdempotencyEncode {
        /// Why it cannot be written.
        reason: String,
    },
    /// An answer that was given before, and kept by its key, is not of the type that is asked for now.
    #[error("the key was used for another command: {reason}")]
    #[non_exhaustive]
    IdempotencyMismatch {
        /// Why the kept answer cannot be read.
        reason: String,
    },
}

/// Why what an async action queued was not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ThenError {
    /// It ran and failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It cannot be written as an instruction.
    #[error(transparent)]
    Call(#[from] CallError),
}

impl<E> ServeError<E> {
    /// An error that nobody asked for is never an action's own.
    pub(crate) fn of_nobody(self) -> ServeError<String> {
        self.map(|_| "it failed".to_owned())
    }

    /// The same with another error of what was asked.
    pub fn map<F>(self, change: impl FnOnce(E) -> F) -> ServeError<F> {
        match self {
            Self::Action(error) => ServeError::Action(change(error)),
            Self::Then(error) => ServeError::Then(error),
            Self::Stopped => ServeError::Stopped,
            Self::Full => ServeError::Full,
            Self::Deadline { applied } => ServeError::Deadline { applied },
            Self::Panicked { message } => ServeError::Panicked { message },
            Self::Store(error) => ServeError::Store(error),
            Self::Denied { action, reason } => ServeError::Denied { action, reason },
            Self::TooManyHops { max } => ServeError::TooManyHops { max },
            Self::IdempotencyEncode { reason } => ServeError::IdempotencyEncode { reason },
            Self::IdempotencyMismatch { reason } => ServeError::IdempotencyMismatch { reason },
        }
    }
}

/// Why a signal was not handled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignalError {
    /// No route matches its type, and no skill handles it.
    #[error(
        "nobody handles signals of the type `{ty}`: no route of `{agent}` matches it, and no skill took it"
    )]
    #[non_exhaustive]
    Unhandled {
        /// The type of the signal.
        ty: String,
        /// The name of the agent.
        agent: &'static str,
    },
    /// A hook refused it, or failed.
    #[error("`{hook}` of the skill `{skill}` failed: {source}")]
    #[non_exhaustive]
    Hook {
        /// The name of the skill, as the agent has it.
        skill: &'static str,
        /// The name of the hook.
        hook: &'static str,
        /// What it said.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The signal goes its way again after each async action that it leads to, and after each question to a person. It came to
    /// other instructions then; nothing of them is applied.
    #[error(
        "the signal does not lead to the same instructions any more since `{action}` was started or approved: a hook makes them from something that changes"
    )]
    #[non_exhaustive]
    Changed {
        /// The name of the action that was started or approved.
        action: String,
    },
    /// An action that it was routed to failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A mounted skill failed to handle it.
    #[error(transparent)]
    Mounted(#[from] DeliverError),
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// There is no tokio runtime to run it on.
    #[error("a server runs on tokio: start it inside a runtime, as `#[tokio::main]` makes one")]
    NoRuntime,
    /// A store keeps agents by their ids.
    #[error("`{agent}` has no id, by which a store keeps it; make it with `with_id(\"...\")`")]
    #[non_exhaustive]
    NoId {
        /// The name of the agent.
        agent: &'static str,
    },
    /// The store failed.
    #[error("the store of `{id}` cannot be used: {source}")]
    #[non_exhaustive]
    Store {
        /// The id of the agent.
        id: String,
        /// What is wrong.
        source: StoreError,
    },
    /// What was stored is no state of this agent.
    #[error("the stored state of `{id}` cannot be taken over: {source}")]
    #[non_exhaustive]
    Recovery {
        /// The id of the agent.
        id: String,
        /// What is wrong.
        source: RecoveryError,
    },
    /// The agent's own hooks or routes failed on `agent.init`.
    #[error("the first signal, `agent.init`, failed: {0}")]
    Init(Box<ServeError<SignalError>>),
    /// `on_mount` of a skill failed.
    #[error("`{hook}` of the skill `{skill}` failed: {source}")]
    #[non_exhaustive]
    Hook {
        /// The name of the skill.
        skill: &'static str,
        /// The name of the hook.
        hook: &'static str,
        /// What it said.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// A child did not start.
    #[error("a child did not start: {0}")]
    Child(#[from] crate::children::ChildError),
    /// User code panicked while starting.
    #[error("the code of the agent panicked while starting: {message}")]
    #[non_exhaustive]
    Panicked {
        /// What the panic said.
        message: String,
    },
}

/// Why a stored state was not taken over. Nothing in the store has changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecoveryError {
    /// The state is that of a skill which the agent no longer has.
    #[error(
        "there is a state for the skill `{skill}` under `{key}`, and the agent has no such skill; list it again, or give it up with `AgentServer::builder(...).forget(\"{key}\")`"
    )]
    #[non_exhaustive]
    UnknownSkill {
        /// The name that the skill had.
        skill: String,
        /// The key of its state.
        key: String,
    },
    /// The state has another schema, and the skill does not say how to take it over.
    #[error(
        "the state of `{skill}` was stored by version {stored} and has another shape than in version {present}; implement `Hooks::restore` for it: {reason}"
    )]
    #[non_exhaustive]
    OtherSchema {
        /// The name of the skill.
        skill: String,
        /// The version that stored it.
        stored: String,
        /// The version of now.
        present: String,
        /// What stands in the way.
        reason: String,
    },
    /// The state cannot be read.
    #[error("the state of `{skill}` cannot be read: {reason}")]
    #[non_exhaustive]
    Unreadable {
        /// The name of the skill.
        skill: String,
        /// What is wrong.
        reason: String,
    },
}

/// Why `set` failed.
pub type SetError = ServeError<StateError>;

/// Why a call by name failed.
pub type CallJsonError = ServeError<CallError>;
