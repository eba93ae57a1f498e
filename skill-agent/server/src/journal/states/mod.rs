//! Encodes states for records, and verifies the result.

pub(super) mod erased;

use super::any_agent::{AnyAgent, Encode};
use super::read_back::{VerifyRecords, read_back};
use super::stored_text::Quoting;
use crate::panics::catch;
use erased::{encode_erased, encode_erased_unchecked};
use skill_core::process::{self, Comparison};
use std::collections::HashSet;
use std::error::Error;

/// With [`VerifyRecords::Sampled`], one record of this many is verified.
const SAMPLE: u64 = 64;

/// Why a state cannot be stored.
pub(crate) type UnstorableState = Box<dyn Error + Send + Sync>;

/// Encodes an agent's states, and reads them back before they are recorded.
pub(crate) struct StateEncoder {
    quoting: Quoting,
    verification: VerifyRecords,
    /// State keys of the skills that were verified since the start.
    verified: HashSet<&'static str>,
}

impl StateEncoder {
    pub(crate) fn new(quoting: Quoting, verification: VerifyRecords) -> Self {
        Self {
            quoting,
            verification,
            verified: HashSet::new(),
        }
    }

    pub(crate) fn quoting(&self) -> Quoting {
        self.quoting
    }

    /// Encodes a state for the record with this number.
    pub(super) fn encode_for_record(
        &mut self,
        agent: &dyn AnyAgent,
        key: &'static str,
        seq: u64,
    ) -> Result<Vec<u8>, UnstorableState> {
        if !self.must_verify(key, seq) {
            return encode_state(agent, key);
        }
        // After a refused state, the next one is verified too.
        self.verified.remove(key);
        let state = self.encode_verified(agent, key)?;
        self.verified.insert(key);
        Ok(state)
    }

    fn must_verify(&self, key: &'static str, seq: u64) -> bool {
        match self.verification {
            VerifyRecords::Always => true,
            VerifyRecords::Sampled => !self.verified.contains(key) || seq.is_multiple_of(SAMPLE),
        }
    }

    /// Encodes a state and reads it back. If the skill's `Serialize` and `Deserialize` disagree, the command must not be
    /// acknowledged.
    fn encode_verified(&self, agent: &dyn AnyAgent, key: &str) -> Result<Vec<u8>, UnstorableState> {
        let encoded = encode_state_with(agent, key, encode_erased_unchecked)?;
        let Err(reason) = read_back(agent, key, &encoded, Comparison::Exact) else {
            return Ok(encoded);
        };
        let skill = agent.skill_at(key);
        let shown = |text: &str| match skill {
            Some(spec) => self.quoting.of_skill(text, spec, &encoded),
            None => self.quoting.of_mounted(agent.mountable(), text, &encoded),
        };
        let secrets = skill.map_or(&[][..], |spec| spec.state_secrets);
        let text = reason.describe(self.quoting, secrets, shown);
        let name = skill.map_or("the mounted skills", |spec| spec.name);
        Err(format!(
            "the state of `{name}` would not survive a restart, because its `Serialize` and `Deserialize` differ: {text}"
        )
        .into())
    }

    /// Checks that the states of a new or restored agent can be stored.
    ///
    /// # Errors
    /// Returns an error if a state cannot be stored, or would decode to a different value.
    pub(super) fn check(&self, agent: &dyn AnyAgent) -> Result<(), UnstorableState> {
        let skills = 0..agent.skills().len();
        let keys = skills.map(|skill| agent.key(skill));
        let mounted = agent.mounts().then_some(process::MOUNTED);
        for key in keys.chain(mounted) {
            self.encode_verified(agent, key)?;
        }
        Ok(())
    }
}

/// Encodes a state without reading it back.
pub(super) fn encode_state(agent: &dyn AnyAgent, key: &str) -> Result<Vec<u8>, UnstorableState> {
    encode_state_with(agent, key, encode_erased)
}

fn encode_state_with(
    agent: &dyn AnyAgent,
    key: &str,
    encode: Encode,
) -> Result<Vec<u8>, UnstorableState> {
    let encoded = catch(|| agent.with_stored(key, encode))
        .map_err(|panic| format!("its `Serialize` panicked: {panic}"))?;
    let encoded = encoded.ok_or_else(|| format!("there is no state under `{key}`"))?;
    Ok(encoded?)
}
