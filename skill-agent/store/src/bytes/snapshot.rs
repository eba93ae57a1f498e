//! Snapshots of an agent.

use crate::bytes::encoding::bytes;
use crate::bytes::record::Logged;
use serde::{Deserialize, Serialize};

/// The state of an agent after the record `seq`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Snapshot {
    /// The number of the last record that the snapshot includes, or 0.
    pub seq: u64,
    /// The build that wrote the snapshot.
    pub build: String,
    /// The agent's name.
    pub agent: String,
    /// The states of all skills.
    #[serde(default)]
    pub skills: Vec<SkillSnapshot>,
    /// The pending directives.
    #[serde(default)]
    pub pending: Vec<Logged>,
    /// The number for the next directive.
    #[serde(default)]
    pub next_directive: u64,
}

impl Snapshot {
    /// Creates a snapshot without skills. Set the other fields afterwards.
    pub fn new(seq: u64, build: impl Into<String>) -> Self {
        Self {
            seq,
            build: build.into(),
            agent: String::new(),
            skills: Vec::new(),
            pending: Vec::new(),
            next_directive: 0,
        }
    }
}

/// A skill in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillSnapshot {
    /// The skill's state key.
    pub key: String,
    /// The name of the skill or of its instance.
    pub name: String,
    /// The skill's declared name.
    pub declared: String,
    /// The skill's version, if declared.
    #[serde(default)]
    pub version: Option<String>,
    /// The fingerprint of the state's schema.
    pub schema: u64,
    /// The configuration, encoded with [`encode`](crate::encode).
    #[serde(with = "bytes")]
    pub config: Vec<u8>,
    /// The state, encoded with [`encode`](crate::encode).
    #[serde(with = "bytes")]
    pub state: Vec<u8>,
}
