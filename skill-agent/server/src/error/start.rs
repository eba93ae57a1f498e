//! Errors from starting a server.

mod constructors;

use super::{RepeatError, ServeError, SignalError};
use crate::limits::Limit;
use skill_agent_store::StoreError;
use skill_core::routing::PatternError;
use skill_core::{MountError, StateError};
use std::borrow::Cow;
use std::error::Error as StdError;

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// `start` was called outside a tokio runtime.
    #[error("a server runs on tokio: start it inside a runtime, as `#[tokio::main]` makes one")]
    NoRuntime,
    /// The runtime has no timer, and the server has no clock that works without one.
    #[error(
        "the tokio runtime has no timer, by which the server waits; build the runtime with `enable_time()`, or give the server a clock that needs no timer with `AgentServer::builder(...).clock(...)`"
    )]
    NoTimer,
    /// The secret for approval requests is too short, so it could be guessed.
    #[error("the approval secret has {bytes} bytes; at least {min} are needed")]
    #[non_exhaustive]
    ApprovalSecret {
        /// The secret's length in bytes.
        bytes: usize,
        /// The minimum length in bytes.
        min: usize,
    },
    /// The agent has no id, but a store keeps each agent under its id.
    #[error("`{agent}` has no id, by which a store keeps it; make it with `with_id(\"...\")`")]
    #[non_exhaustive]
    NoId {
        /// The agent's name.
        agent: &'static str,
    },
    /// The agent's id is empty, and a store would treat all such agents as one.
    #[error(
        "the id of `{agent}` is empty; a store keeps each agent under an id of its own: `with_id(\"...\")`"
    )]
    #[non_exhaustive]
    EmptyId {
        /// The agent's name.
        agent: &'static str,
    },
    /// The agent's id starts or ends with blanks or line ends, as if it had been read from a file. A store would treat `clerk-1`
    /// with and without a line end as two agents.
    #[error(
        "the id of `{agent}`, {id:?}, begins or ends with a blank or a line end; a store would keep another agent under it than under {:?}; write `with_id(id.trim())`",
        .id.trim()
    )]
    #[non_exhaustive]
    UntrimmedId {
        /// The agent's name.
        agent: &'static str,
        /// The id that was given, including the blanks.
        id: String,
    },
    /// The function that makes the builder of an agent returned an error.
    #[error("no server can be built for the agent `{id}`")]
    #[non_exhaustive]
    NoBuilder {
        /// The agent's id.
        id: String,
        /// The error from the function.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The function that makes the builder of an agent gave the agent a different id.
    #[error("the builder for the id `{id}` has an agent with {}; write `with_id(id)`", other_id(.other))]
    #[non_exhaustive]
    OtherId {
        /// The id that was passed to the function.
        id: String,
        /// The id of the builder's agent.
        other: Option<String>,
    },
    /// The store failed.
    #[error("the store of `{id}` cannot be used")]
    #[non_exhaustive]
    Store {
        /// The agent's id.
        id: String,
        /// The error from the store.
        source: StoreError,
    },
    /// The stored state cannot be restored into this agent.
    #[error("the stored state of `{id}` cannot be restored")]
    #[non_exhaustive]
    Recovery {
        /// The agent's id.
        id: String,
        /// Why the state cannot be restored.
        source: RecoveryError,
    },
    /// A state of the agent cannot be stored, or would be decoded to a different value.
    #[error("`{id}` has a state that cannot be stored")]
    #[non_exhaustive]
    State {
        /// The agent's id.
        id: String,
        /// Why the state cannot be stored.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The agent's own hooks or routes failed on `agent.init`.
    #[error("the first signal, `agent.init`, failed")]
    Init(#[source] Box<ServeError<SignalError>>),
    /// The `on_mount` hook of a skill failed.
    #[error("`{hook}` of the skill `{skill}` failed")]
    #[non_exhaustive]
    Hook {
        /// The skill's name.
        skill: &'static str,
        /// The hook's name: `on_mount`.
        hook: &'static str,
        /// The hook's error.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// A mount operation that a skill queued in `on_mount` failed.
    #[error("a mount operation that `on_mount` of the skill `{skill}` queued failed: {error}")]
    #[non_exhaustive]
    Mount {
        /// The skill's name.
        skill: &'static str,
        /// The error from the mount operation.
        error: Box<MountError>,
    },
    /// All `on_mount` hooks together exceed a limit, because they count as one command.
    #[error("the hooks `on_mount` exceed a limit: {}", what.exceeded(*max))]
    #[non_exhaustive]
    Limit {
        /// The limit that was exceeded.
        what: Limit,
        /// The maximum allowed number.
        max: usize,
    },
    /// The times of a repeating schedule cannot be computed. The agent declares the schedule, an `on_mount` hook queued it, or the
    /// store has it from an earlier build.
    #[error("the schedule of `{skill}` cannot repeat: {reason}")]
    #[non_exhaustive]
    Repeat {
        /// The name of the skill or agent that has the schedule.
        skill: Cow<'static, str>,
        /// Why the times cannot be computed.
        reason: RepeatError,
    },
    /// The agent declares a schedule whose signals nothing handles.
    #[error("the schedule `{schedule}` cannot be delivered")]
    #[non_exhaustive]
    Schedule {
        /// The name of the schedule.
        schedule: &'static str,
        /// The error of its signals, with the type and a suggestion.
        source: Box<SignalError>,
    },
    /// A configuration value violates a constraint of its schema.
    #[error("the configuration of `{agent}` is invalid")]
    #[non_exhaustive]
    Config {
        /// The agent's name.
        agent: &'static str,
        /// The invalid values, with their paths.
        source: StateError,
    },
    /// A child did not start.
    #[error("a child did not start")]
    Child(#[from] crate::children::ChildError),
    /// A pattern passed to the builder is invalid.
    #[error("`{method}` of the builder got an invalid pattern, `{pattern}`")]
    #[non_exhaustive]
    Pattern {
        /// The builder's method: `subscribe`, `loopback` or `deliver`.
        method: &'static str,
        /// The invalid pattern.
        pattern: String,
        /// The first error in the pattern.
        source: PatternError,
    },
    /// User code panicked during the start.
    #[error("the code of the agent panicked while starting: {message}")]
    #[non_exhaustive]
    Panicked {
        /// The panic message.
        message: String,
    },
}

/// Why a stored state was not restored. The store is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecoveryError {
    /// The store has the state of a skill that the agent no longer has.
    #[error(
        "there is a stored state of the skill `{skill}` under `{key}`, and the agent has no such skill; list the skill again, take the state over for a renamed skill with `AgentServer::builder(...).adopt_skill(\"{key}\", \"new_key\")`, or drop it with `.forget(\"{key}\")`{misspelled}"
    )]
    #[non_exhaustive]
    UnknownSkill {
        /// The stored name of the skill.
        skill: String,
        /// The state key.
        key: String,
        #[doc(hidden)]
        misspelled: String,
    },
    /// A state was stored by one skill, and its state key now belongs to a different skill.
    #[error(
        "the stored state under `{key}` is that of the skill `{stored}`, and `{key}` is the state key of the skill `{present}` now; take it over with `AgentServer::builder(...){}`, or drop it with `.forget(\"{key}\")`",
        adopt_calls(adoptions)
    )]
    #[non_exhaustive]
    OtherSkill {
        /// The stored name of the skill.
        stored: String,
        /// The skill that now has the key.
        present: &'static str,
        /// The state key that both skills use.
        key: String,
        /// The old and new state keys to pass to `adopt_skill`. The first pair moves this state to the new key of its skill. If
        /// both keys are the same, the skill that now has the key takes over the state. Each further pair moves the state that is
        /// stored under the new key of the previous pair.
        adoptions: Vec<(String, String)>,
    },
    /// The builder swaps the states of two instances of the same skill, and the store does not show whether they have already been
    /// swapped.
    #[error(
        "`adopt_skill(\"{old}\", \"{new}\")`: `{old}` and `{new}` are instances of the skill `{skill}`, so a start cannot see whether their states were swapped before; keep both state keys, or swap the states in an action"
    )]
    #[non_exhaustive]
    SwappedInstances {
        /// The old state key.
        old: String,
        /// The new state key.
        new: String,
        /// The declared name of the skill.
        skill: &'static str,
    },
    /// The builder adopts a state under a state key that the agent does not have.
    #[error(
        "`adopt_skill(\"{old}\", \"{new}\")`: the agent has no skill with the state key `{new}`; its state keys are {known}"
    )]
    #[non_exhaustive]
    UnknownKey {
        /// The old state key.
        old: String,
        /// The unknown new state key.
        new: String,
        /// The agent's state keys, separated by commas.
        known: String,
    },
    /// The state was stored by an agent with a different name.
    #[error(
        "the stored state is that of the agent `{stored}`, and this agent is `{present}`; take it over with `AgentServer::builder(...).adopt_agent(\"{stored}\")`, or start this agent under another id"
    )]
    #[non_exhaustive]
    OtherAgent {
        /// The name of the agent that stored the state.
        stored: String,
        /// The name of this agent.
        present: &'static str,
    },
    /// The stored state does not match the current schema, and the skill does not convert it.
    #[error(
        "the state of `{skill}` was stored by {} and does not fit {}: {reason}",
        of_version(.stored, "an earlier build"),
        of_version(.present, "this one")
    )]
    #[non_exhaustive]
    OtherSchema {
        /// The skill's name.
        skill: String,
        /// The skill version that stored the state, or `(none)`.
        stored: String,
        /// The skill's current version, or `(none)`.
        present: String,
        /// The first difference and its remedy.
        reason: String,
    },
    /// The hook `Hooks::restore` did not accept a stored state with a different schema or an incompatible version.
    #[error("`Hooks::restore` of `{skill}` refused the state of version {stored}, {reason}")]
    #[non_exhaustive]
    Restore {
        /// The skill's name.
        skill: String,
        /// The skill version that stored the state.
        stored: String,
        /// How to drop the state, and the hook's error with its causes.
        reason: String,
    },
    /// The stored state cannot be read.
    #[error("the state of `{skill}` cannot be read: {reason}")]
    #[non_exhaustive]
    Unreadable {
        /// The skill's name.
        skill: String,
        /// The decoding error, and how to drop the state.
        reason: String,
    },
}

/// The text in place of the version for a skill without a version.
pub(crate) const NO_VERSION: &str = "(none)";

/// Describes a skill by its version, or as `other` if the skill has no version.
fn of_version(version: &str, other: &str) -> String {
    match version {
        NO_VERSION => other.to_owned(),
        version => format!("version {version}"),
    }
}

/// Formats the `adopt_skill` calls for pairs of old and new state keys.
fn adopt_calls(adoptions: &[(String, String)]) -> String {
    let call = |(old, new): &(String, String)| format!(".adopt_skill(\"{old}\", \"{new}\")");
    adoptions.iter().map(call).collect()
}

fn other_id(id: &Option<String>) -> String {
    match id {
        Some(id) => format!("the id `{id}`"),
        None => "no id".to_owned(),
    }
}
