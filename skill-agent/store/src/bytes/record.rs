//! The records of a log.

use crate::bytes::encoding::bytes;
use serde::{Deserialize, Serialize};
use skill_core::Instruction;

/// One acknowledged change to an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Record {
    /// The record's number in the log, consecutive from 1.
    pub seq: u64,
    /// What kind of change it was.
    pub kind: RecordKind,
    /// The time of the change, in milliseconds since the Unix epoch.
    pub at: u64,
    /// The id of the command or signal, empty if it had none.
    pub id: String,
    /// The executed instructions, for people who read the log, and ignored by recovery.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<Instruction>,
    /// The states of the changed skills after the change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<ChangedSkill>,
    /// The directives that the command queued.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directives: Vec<Logged>,
    /// The numbers of the directives that are done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<u64>,
    /// How many `Run`s and looped-back signals led to the command.
    #[serde(default)]
    pub hops: u32,
    /// The turn of a durable conversation that led to the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
}

impl Record {
    /// Creates a record without changes, at a time in milliseconds since the Unix epoch. Set the other fields afterwards.
    pub fn new(seq: u64, kind: RecordKind, at: u64, id: impl Into<String>) -> Self {
        Self {
            seq,
            kind,
            at,
            id: id.into(),
            instructions: Vec::new(),
            states: Vec::new(),
            directives: Vec::new(),
            done: Vec::new(),
            hops: 0,
            turn: None,
        }
    }
}

/// The kind of a record, whose variants' names are part of the stored format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum RecordKind {
    /// Instructions were executed: a call, a routed signal or a `Run`.
    Command,
    /// A hook handled a signal without a route.
    Handled,
    /// The `on_mount` hooks ran at a start.
    OnMount,
    /// The state was patched, or turns of a durable conversation were taken back or brought back.
    Set,
    /// A skill was mounted, replaced or enabled at run time.
    Mounted,
    /// A skill was unmounted or disabled at run time.
    Unmounted,
    /// The secret for approval requests was created, or a deferred request was denied.
    Approval,
    /// The state did not change, and the record only marks directives as done, or changes schedules that repeat.
    Mark,
}

/// A skill's state after a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedSkill {
    /// The skill's state key.
    pub key: String,
    /// The state, encoded with [`encode`](crate::encode).
    #[serde(with = "bytes")]
    pub state: Vec<u8>,
}

/// A logged directive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Logged {
    /// The directive's number, unique in the log.
    pub n: u64,
    /// The directive, encoded with [`encode`](crate::encode).
    #[serde(with = "bytes")]
    pub directive: Vec<u8>,
    /// When the directive is due, in milliseconds since the Unix epoch, or `None` for immediately.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<u64>,
    /// How many commands led to the command that queued the directive.
    #[serde(default)]
    pub hops: u32,
    /// The cause, if the directive leads at once to the next command of a chain. `None` for other directives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<LoggedCause>,
    /// The turn of a durable conversation that led to the directive, if the directive leads at once to the next command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
}

/// The first command of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedCause {
    /// Identifies the cause in the log. The id is the number of a directive: the first one of the chain's first command with
    /// follow-ups.
    pub id: u64,
    /// The number of the cause's follow-ups at the time of writing.
    pub follow_ups: u64,
}

/// A command's output, kept under its idempotency key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keyed {
    /// The idempotency key in its stored form.
    pub key: String,
    /// The output, encoded with [`encode`](crate::encode).
    #[serde(with = "bytes")]
    pub answer: Vec<u8>,
    /// The call's arguments, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<ArgumentsHash>,
}

/// A hash that identifies the arguments of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgumentsHash {
    /// The hash of the arguments.
    pub value: u64,
    /// The hash of the arguments' schema, because hashes of arguments can only be compared if their schemas are the same.
    pub schema: u64,
}
