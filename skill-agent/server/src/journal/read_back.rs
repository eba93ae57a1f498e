//! Reads an encoded state back: what is stored must be what the next start reads.

use super::stored_text::Quoting;
use crate::panics::catch;
use serde::de::{DeserializeSeed, Deserializer, Error};
use skill_agent_store::__private::encode_unchecked;
use skill_agent_store::{DecodeError, EncodeError, decode, decode_seed};
use skill_core::Agent;
use skill_core::process::{self, Comparison, Difference, StoredValue};

/// Which records a server verifies: it reads the states back and compares them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyRecords {
    /// All of them.
    #[default]
    Always,
    /// The first state of each skill after a start, and those in one record of 64.
    Sampled,
}

/// Why a stored state is not read as it is.
#[derive(Debug)]
pub enum NotReadBack {
    /// It cannot be read.
    Unreadable(String),
    /// Something else is read.
    Different(Difference),
}

/// A value in a stored state that can be dropped.
pub(super) struct Droppable {
    pub(super) path: String,
    /// Whether it is the lost value itself.
    pub(super) is_lost: bool,
}

/// Compares an encoded state with the one that the skill reads from it.
pub(super) fn read_back<G: Agent>(
    agent: &G,
    key: &str,
    stored: &[u8],
    comparison: Comparison,
) -> Result<(), NotReadBack> {
    compare(stored, &encode_again(agent, key, stored)?, comparison)
}

/// Reads an encoded state, and encodes what the skill reads.
pub(super) fn encode_again<G: Agent>(
    agent: &G,
    key: &str,
    stored: &[u8],
) -> Result<Vec<u8>, NotReadBack> {
    let seed = ReadBackSeed { agent, key };
    let again = catch(|| decode_seed(seed, stored)).map_err(NotReadBack::Unreadable)?;
    let again = again.map_err(|error: DecodeError| NotReadBack::Unreadable(error.message))?;
    again.map_err(|error: EncodeError| NotReadBack::Unreadable(error.message))
}

/// Decodes a state as a tree.
pub(super) fn tree(stored: &[u8]) -> Result<StoredValue, NotReadBack> {
    decode(stored).map_err(|error| NotReadBack::Unreadable(error.message))
}

/// Compares an encoded value with what was read from it and encoded again.
pub fn compare(stored: &[u8], again: &[u8], comparison: Comparison) -> Result<(), NotReadBack> {
    if again == stored {
        return Ok(());
    }
    // Maps and sets may come in another order.
    match tree(stored)?.difference(tree(again)?, comparison) {
        None => Ok(()),
        Some(difference) => Err(NotReadBack::Different(difference)),
    }
}

/// Reads the state of a skill, and encodes it again.
struct ReadBackSeed<'a, G> {
    agent: &'a G,
    key: &'a str,
}

impl<'de, G: Agent> DeserializeSeed<'de> for ReadBackSeed<'_, G> {
    type Value = Result<Vec<u8>, EncodeError>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let mut stored = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        let mut again = Ok(Vec::new());
        let mut write = |state: &dyn erased_serde::Serialize| {
            let mut bytes = Vec::new();
            again = encode_unchecked(&mut bytes, state).map(|()| bytes);
        };
        match process::read_back(self.agent, self.key, &mut stored, &mut write) {
            Some(read) => read.map_err(D::Error::custom).map(|()| again),
            None => Err(D::Error::custom("the agent has no such skill")),
        }
    }
}

impl NotReadBack {
    /// The value to drop if one would be lost or cannot be read: itself, or the innermost one around it that can be dropped. `None` if
    /// that is the whole state.
    pub(super) fn droppable(
        &self,
        unreadable_part: Option<String>,
        secrets: &[&str],
    ) -> Option<Droppable> {
        let (path, lost) = match self {
            Self::Different(difference @ Difference { read: None, .. }) => {
                (difference.removable_path(), difference.path())
            }
            Self::Different(_) => return None,
            Self::Unreadable(_) => (unreadable_part?, String::new()),
        };
        let droppable = match secret_at(&path, secrets) {
            Some(secret) => Droppable {
                path: secret.to_owned(),
                is_lost: true,
            },
            None => Droppable {
                is_lost: path == lost,
                path,
            },
        };
        Some(droppable).filter(|droppable| !droppable.path.is_empty())
    }

    /// A text about it; `shown` hides the values in a text that must not be in it.
    pub fn describe(
        &self,
        quoting: Quoting,
        secrets: &[&str],
        shown: impl FnOnce(&str) -> String,
    ) -> String {
        let difference = match self {
            Self::Unreadable(error) => return format!("it cannot be read: {}", shown(error)),
            Self::Different(difference) => difference,
        };
        let path = difference.path();
        if let Some(secret) = secret_at(&path, secrets) {
            return format!("the secret `{secret}` is not read as it is stored");
        }
        match (&difference.stored, &difference.read) {
            (Some(_), None) => format!("`{path}` is stored and not read"),
            (None, _) => format!("`{path}` is read and was not stored"),
            (Some(stored), Some(read)) if quoting.payloads => shown(&format!(
                "`{path}` is stored as {stored} and read as {read}"
            )),
            (Some(_), Some(_)) => format!("`{path}` is read with another value"),
        }
    }
}

/// The path of the secret around `path`. Nothing in a secret may be shown, not even its keys.
fn secret_at<'a>(path: &str, secrets: &[&'a str]) -> Option<&'a str> {
    let has = |secret: &&str| {
        let rest = path.strip_prefix(*secret);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    secrets.iter().copied().find(has)
}
