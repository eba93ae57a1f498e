//! The mark of a turn: what the turn changed.

use super::Changer;
use serde::{Deserialize, Serialize};

/// The changes of a turn, or the changes that bring turns back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TurnMark {
    pub(crate) states: Vec<StateMark>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) schedules: Vec<MarkedSchedule>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) effects: Vec<TurnEffect>,
    /// Scheduled signals that were withdrawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) withdrawn: Vec<Withdrawn>,
    /// Approval requests that were withdrawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) requests: Vec<String>,
}

/// A skill that a turn changed. The earlier state is in a row of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StateMark {
    pub(crate) key: String,
    /// The size of the earlier state in bytes.
    pub(crate) size: u64,
    /// The hash of the state's schema.
    pub(crate) schema: u64,
    /// The hash of the earlier state.
    pub(crate) before: u64,
    /// The hash of the state after the turn's last change.
    pub(crate) after: u64,
    /// The command that changed the skill last before the turn, if another caller made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) found: Option<Changer>,
    /// The first command of another caller that changed the skill between two commands of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) broken: Option<Changer>,
}

/// A scheduled signal that was withdrawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Withdrawn {
    /// The number that its directive had.
    pub(crate) n: u64,
    pub(crate) directive: Vec<u8>,
    /// When it is due, in milliseconds since the Unix epoch.
    pub(crate) due: u64,
}

/// An effect of a turn that stays if the turn is taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnEffect {
    /// A signal of this type was sent.
    Signal(String),
    /// A scheduled signal of this type was delivered, replaced or cancelled.
    Fired(String),
    /// The scheduled signal with this key was replaced or cancelled.
    Cancelled(String),
    /// The child with this id was started.
    Child(String),
}

/// A signal that a turn scheduled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MarkedSchedule {
    /// The number of the directive.
    pub(crate) n: u64,
    /// The signal's type.
    pub(crate) ty: String,
}

impl TurnMark {
    /// Returns the size of the kept states in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.states.iter().map(|state| state.size).sum()
    }

    pub(crate) fn state(&self, key: &str) -> Option<&StateMark> {
        self.states.iter().find(|state| state.key == key)
    }
}
