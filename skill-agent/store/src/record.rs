//! The records of a log.

use super::encoding::bytes;
use serde::{Deserialize, Serialize};
use skill_core::Instruction;

/// One acknowledged change of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Record {
    /// The number of the record in the log, consecutive from 1.
    pub seq: u64,
    /// The kind of the change.
    pub kind: RecordKind,
    /// The time of the change, in milliseconds since the Unix epoch.
    pub at: u64,
    /// The id of the command or signal.
    pub id: String,
    /// The instructions that ran, for people who read the log; ignored by recovery.
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
    /// In records of earlier builds, the output of a command with an idempotency key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyed: Option<Keyed>,
    /// In records of earlier builds, the decision on a deferred approval request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Keyed>,
    /// The number of `Run`s and looped-back signals that led to the command.
    #[serde(default)]
    pub hops: u32,
}

impl Record {
    /// Creates a record without changes; `at` is in milliseconds since the Unix epoch. The other fields are set
    /// afterwards.
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
            keyed: None,
            decision: None,
            hops: 0,
        }
    }
}

/// The kind of a record. The variant names are part of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum RecordKind {
    /// Instructions that ran: a call, a routed signal, a `Run`.
    Command,
    /// A signal without a route, which a hook handled.
    Handled,
    /// The hooks `on_mount` at a start.
    OnMount,
    /// A patch of the state.
    Set,
    /// A skill that was mounted, replaced or enabled at run time.
    Mounted,
    /// A skill that was unmounted or disabled at run time.
    Unmounted,
    /// The secret of approval requests, or the denial of a deferred request.
    Approval,
    /// No change of state: the record only marks directives as done.
    Mark,
}

/// The state of a skill after a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedSkill {
    /// The state key of the skill.
    pub key: String,
    /// The state, encoded with [`encode`](super::encode).
    #[serde(with = "bytes")]
    pub state: Vec<u8>,
}

/// A logged directive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Logged {
    /// The number of the directive, unique in the log.
    pub n: u64,
    /// The directive, encoded with [`encode`](super::encode).
    #[serde(with = "bytes")]
    pub directive: Vec<u8>,
    /// The due time in milliseconds since the Unix epoch; `None` means immediately.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<u64>,
    /// The number of commands that led to the one that queued it.
    #[serde(default)]
    pub hops: u32,
    /// The cause of the command that it leads to at once; `None` for other directives, and in logs of earlier builds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<LoggedCause>,
}

/// The first command of a chain of commands that follow from one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedCause {
    /// Identifies the cause in the log: the number of the first directive of the first command with follow-ups.
    pub id: u64,
    /// How many follow-ups the cause had led to when this was written.
    pub follow_ups: u64,
}

/// The output of a command, kept under its idempotency key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keyed {
    /// The idempotency key.
    pub key: String,
    /// The output, encoded with [`encode`](super::encode).
    #[serde(with = "bytes")]
    pub answer: Vec<u8>,
    /// The arguments of the call, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<ArgumentsHash>,
}

/// Identifies the arguments of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgumentsHash {
    /// A hash of the arguments.
    pub value: u64,
    /// A hash of their schema. Hashes of arguments with different schemas cannot be compared.
    pub schema: u64,
}
