//! Reads encoded states back: the next start must read exactly the stored states.

use super::any_agent::AnyAgent;
use super::states::erased::{decode_erased, encode_erased_unchecked};
use super::stored_text::Quoting;
use crate::panics::catch;
use skill_agent_store::decode;
use skill_core::bounds::StoredState;
use skill_core::process::{Comparison, Difference, StoredValue};

/// Which records a server verifies by decoding their states and comparing the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyRecords {
    /// All records.
    #[default]
    Always,
    /// The first state of each skill after a start, and every 64th record.
    Sampled,
}

/// Why a stored state would not decode to the same value.
#[derive(Debug)]
pub enum NotReadBack {
    /// The state cannot be decoded. Contains the decoding error.
    Unreadable(String),
    /// The decoded state is different.
    Different(Difference),
}

/// A value in a stored state that can be dropped.
pub(super) struct Droppable {
    pub(super) path: String,
    /// Whether the path leads to the lost value itself, and not to a part around it.
    pub(super) is_lost: bool,
}

/// Compares an encoded state with the state that the skill decodes from it.
pub(super) fn read_back(
    agent: &dyn AnyAgent,
    key: &str,
    stored: &[u8],
    comparison: Comparison,
) -> Result<(), NotReadBack> {
    compare(stored, &encode_again(agent, key, stored)?, comparison)
}

/// Decodes a state with the skill's code, and encodes the result.
pub(super) fn encode_again(
    agent: &dyn AnyAgent,
    key: &str,
    stored: &[u8],
) -> Result<Vec<u8>, NotReadBack> {
    let mut again = Ok(Vec::new());
    let mut write = |state: &dyn erased_serde::Serialize| again = encode_erased_unchecked(state);
    let mut read = |stored: &mut StoredState<'_, '_>| agent.read_back(key, stored, &mut write);
    let read = catch(|| decode_erased(stored, &mut read)).map_err(NotReadBack::Unreadable)?;
    read.map_err(|error| NotReadBack::Unreadable(error.message))?;
    again.map_err(|error| NotReadBack::Unreadable(error.message))
}

/// Decodes a state into a tree of values.
pub(super) fn tree(stored: &[u8]) -> Result<StoredValue, NotReadBack> {
    decode(stored).map_err(|error| NotReadBack::Unreadable(error.message))
}

/// Compares an encoded value with the result of decoding and encoding it again.
pub fn compare(stored: &[u8], again: &[u8], comparison: Comparison) -> Result<(), NotReadBack> {
    if again == stored {
        return Ok(());
    }
    // Maps and sets may have a different order.
    match tree(stored)?.difference(tree(again)?, comparison) {
        None => Ok(()),
        Some(difference) => Err(NotReadBack::Different(difference)),
    }
}

impl NotReadBack {
    /// Returns the value to drop if a value would be lost or cannot be read: that value, or the innermost droppable value around
    /// it. `None` means the whole state.
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

    /// Describes the reason in a message. `shown` hides values that the message must not quote.
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

/// Returns the path of the secret that contains `path`. Nothing inside a secret may be shown, not even its keys.
fn secret_at<'a>(path: &str, secrets: &[&'a str]) -> Option<&'a str> {
    let has = |secret: &&str| {
        let rest = path.strip_prefix(*secret);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    secrets.iter().copied().find(has)
}
