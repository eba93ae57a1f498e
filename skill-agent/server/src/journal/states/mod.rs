//! Encodes states for records, and verifies the result.

pub(super) mod erased;

use super::any_agent::{AnyAgent, Encode};
use super::read_back::{VerifyRecords, read_back, tree};
use super::stored_text::Quoting;
use crate::panics::catch;
use erased::{decode_erased, encode_erased, encode_erased_unchecked};
use serde_json::Value;
use skill_core::Agent;
use skill_core::bounds::StoredState;
use skill_core::process::{self, Comparison, SavedState};
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

/// Encodes a present state, or returns `None` if it cannot be encoded.
pub(crate) fn encode_present(agent: &dyn AnyAgent, key: &str) -> Option<Vec<u8>> {
    encode_state(agent, key).ok()
}

/// Encodes a state from before a command.
pub(crate) fn encode_saved<G: Agent>(saved: &SavedState<G>) -> Result<Vec<u8>, UnstorableState> {
    let encoded = catch(|| saved.with_stored(encode_erased))
        .map_err(|panic| format!("its `Serialize` panicked: {panic}"))?;
    Ok(encoded.ok_or("the state is gone")??)
}

/// Returns an encoded state as JSON.
pub(crate) fn state_value(stored: &[u8]) -> Option<Value> {
    tree(stored).ok().map(|state| state.to_json())
}

/// Restores a state that an agent with the same schema has encoded. Returns `false` if it does not fit.
pub(crate) fn restore_state(agent: &mut dyn AnyAgent, key: &str, stored: &[u8]) -> bool {
    let mut is_whole = true;
    let mut read = |state: &mut StoredState<'_, '_>| {
        if key != process::MOUNTED {
            return agent.restore(key, state);
        }
        let restored = agent.restore_mounted(state, &|_| false)?;
        Some(restored.map(|restored| is_whole = restored.other_states.is_empty()))
    };
    let read = catch(|| decode_erased(stored, &mut read));
    matches!(read, Ok(Ok(()))) && is_whole
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
