//! Snapshots of an agent.

use super::encoding::bytes;
use super::record::{Keyed, Logged};
use serde::{Deserialize, Serialize};

/// The state of an agent after the record `seq`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Snapshot {
    /// The number of the last record that it includes, or 0.
    pub seq: u64,
    /// The build that wrote it.
    pub build: String,
    /// The states of all skills.
    #[serde(default)]
    pub skills: Vec<SkillSnapshot>,
    /// The pending directives.
    #[serde(default)]
    pub pending: Vec<Logged>,
    /// The outputs under idempotency keys, oldest first: at most [`Snapshot::RECENT`].
    #[serde(default)]
    pub recent: Vec<Keyed>,
    /// The number that the next directive gets.
    #[serde(default)]
    pub next_directive: u64,
}

impl Snapshot {
    /// How many outputs a log keeps under idempotency keys.
    pub const RECENT: usize = 10_000;

    /// A snapshot without skills. The other fields are set afterwards.
    pub fn new(seq: u64, build: impl Into<String>) -> Self {
        Self {
            seq,
            build: build.into(),
            skills: Vec::new(),
            pending: Vec::new(),
            recent: Vec::new(),
            next_directive: 0,
        }
    }
}

/// A skill in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillSnapshot {
    /// Its state key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Its version, if it has one.
    #[serde(default)]
    pub version: Option<String>,
    /// The fingerprint of its state's schema.
    pub schema: u64,
    /// Its configuration, as [`encode`](super::encode) writes it.
    #[serde(with = "bytes")]
    pub config: Vec<u8>,
    /// Its state, as [`encode`](super::encode) writes it.
    #[serde(with = "bytes")]
    pub state: Vec<u8>,
}
