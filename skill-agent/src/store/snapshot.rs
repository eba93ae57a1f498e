//! All of an agent at one moment of its log.

use super::encoding::bytes;
use super::record::{Keyed, Logged};
use serde::{Deserialize, Serialize};

/// All that the records up to `seq` amount to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Snapshot {
    /// The number of the last record that it contains; 0 when there was none.
    pub seq: u64,
    /// The build that wrote it.
    pub build: String,
    /// Every skill.
    #[serde(default)]
    pub skills: Vec<SkillSnapshot>,
    /// The directives that are not done.
    #[serde(default)]
    pub pending: Vec<Logged>,
    /// The answers that are kept for commands that come again, oldest first: at most [`Snapshot::RECENT`].
    #[serde(default)]
    pub recent: Vec<Keyed>,
    /// The number that the next directive gets.
    #[serde(default)]
    pub next_directive: u64,
}

impl Snapshot {
    /// How many answers a log keeps for commands that come again.
    pub const RECENT: usize = 10_000;

    /// A snapshot without skills. Its fields say the rest.
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
