//! Encodes and decodes states without their types, so that the serializers and deserializers are compiled once for all agents.

use erased_serde::{Error, Serialize};
use serde::de::{DeserializeSeed, Deserializer, Error as _};
use skill_agent_store::__private::encode_unchecked;
use skill_agent_store::{DecodeError, EncodeError, decode_seed, encode};
use skill_core::bounds::StoredState;

/// Encodes a state.
pub(in crate::journal) fn encode_erased(state: &dyn Serialize) -> Result<Vec<u8>, EncodeError> {
    encode(state)
}

/// Encodes a state without checks. The caller checks the result by decoding it.
pub(in crate::journal) fn encode_erased_unchecked(
    state: &dyn Serialize,
) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    encode_unchecked(&mut bytes, state).map(|()| bytes)
}

/// Decodes a state with `read`, which returns `None` if the agent has no such skill.
pub(in crate::journal) fn decode_erased(
    stored: &[u8],
    read: &mut Read<'_>,
) -> Result<(), DecodeError> {
    decode_seed(Seed(read), stored)
}

/// Reads a state from a deserializer.
type Read<'a> = dyn FnMut(&mut StoredState<'_, '_>) -> Option<Result<(), Error>> + 'a;

struct Seed<'a, 'b>(&'a mut Read<'b>);

impl<'de> DeserializeSeed<'de> for Seed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let mut stored = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        match (self.0)(&mut stored) {
            Some(read) => read.map_err(D::Error::custom),
            None => Err(D::Error::custom("the agent has no such skill")),
        }
    }
}
