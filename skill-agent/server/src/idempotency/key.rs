//! The idempotency keys of calls and signals.

use crate::error::ServeError;
use crate::limits::{Limit, MAX_KEY_BYTES};
use crate::panics::catch;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use skill_agent_store::{ArgumentsHash, Keyed, decode, encode};
use skill_core::process::{self, DeclaredNames, full_text};
use skill_core::{Action, ActionSpec, Caller};
use std::fmt::Write;

/// An idempotency key as your program passes it: any string. Do not implement this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the key of a call: the key is a text, and comes before the action",
    label = "not a key",
    note = "write `call_with_key(key, action)`, such as `call_with_key(\"order-7\", Deposit {{ amount: 5 }})`"
)]
pub trait CallKey: Into<String> {}

#[diagnostic::do_not_recommend]
impl<K: Into<String>> CallKey for K {}

/// The idempotency key of a call by name, as the caller gave it.
pub(crate) enum GivenKey {
    /// A key that belongs to an action and its caller. It expires.
    Own(String),
    /// A key that the caller releases once it has stored the output.
    Held(String),
    /// A held key of a call that only reads. It names the turn of the call, and no output is kept under it.
    Read(String),
}

impl GivenKey {
    fn into_text(self) -> String {
        match self {
            Self::Own(given) | Self::Held(given) | Self::Read(given) => given,
        }
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Own(given) | Self::Held(given) | Self::Read(given) => given,
        }
    }
}

/// The idempotency key of a call, and the functions that encode and decode the call's output.
pub(crate) struct IdempotencyKey<T> {
    /// The key in its stored form.
    pub(crate) key: String,
    /// The key as the caller gave it.
    pub(crate) given: String,
    pub(crate) arguments: Option<ArgumentsHash>,
    write: fn(&T) -> Result<Vec<u8>, String>,
    read: fn(&[u8]) -> Result<T, String>,
}

impl<T: Serialize + DeserializeOwned> IdempotencyKey<T> {
    /// Creates the key for a call from `caller` to the instance with the state key `state_key`.
    pub(crate) fn new<A: Action<Output = T>>(
        caller: &Caller,
        state_key: &str,
        given: String,
        action: &A,
    ) -> Self {
        let arguments = process::arguments(action);
        Self {
            key: call_key(caller, state_key, A::NAME, &given),
            given,
            arguments: hash(&A::SPEC, arguments.as_ref()),
            write: |output| encode(output).map_err(|error| error.to_string()),
            read: |bytes| decode(bytes).map_err(|error| error.to_string()),
        }
    }
}

impl IdempotencyKey<String> {
    /// Creates the key for a call by name, which is also the key of a typed call to the same action.
    pub(crate) fn by_name(
        caller: &Caller,
        names: DeclaredNames,
        spec: &ActionSpec,
        given: GivenKey,
        arguments: Option<&Value>,
    ) -> Self {
        let key = match &given {
            GivenKey::Own(given) => call_key(caller, names.state_key, names.action, given),
            GivenKey::Held(given) | GivenKey::Read(given) => held_key(given),
        };
        Self::of_text(key, given.into_text(), spec, arguments)
    }

    /// Creates the key for a call whose output is JSON text.
    pub(crate) fn of_text(
        key: String,
        given: String,
        spec: &ActionSpec,
        arguments: Option<&Value>,
    ) -> Self {
        Self {
            key,
            given,
            arguments: hash(spec, arguments),
            write: |text| {
                let output = process::as_value("", text).map_err(|error| full_text(&error))?;
                encode(&output).map_err(|error| error.to_string())
            },
            read: text_of,
        }
    }
}

/// Decodes an output to JSON text.
fn text_of(stored: &[u8]) -> Result<String, String> {
    let output = decode::<Value>(stored).map_err(|error| error.to_string())?;
    Ok(output.to_string())
}

/// Decodes the output of a call under a held key, or returns `None` if it is damaged.
pub(crate) fn held_output(stored: &[u8]) -> Option<String> {
    text_of(stored).ok()
}

fn hash(spec: &ActionSpec, arguments: Option<&Value>) -> Option<ArgumentsHash> {
    let (value, schema) = process::arguments_hash(spec, arguments?);
    Some(ArgumentsHash { value, schema })
}

impl<T> IdempotencyKey<T> {
    /// Checks the length of the key that the caller gave. A key that is too long has no stored form.
    pub(crate) fn check_given<E>(&self) -> Result<(), ServeError<E>> {
        match self.given.len() {
            0 => Err(ServeError::EmptyKey),
            1..=MAX_KEY_BYTES => Ok(()),
            _ => Err(ServeError::limit(Limit::KeyBytes)),
        }
    }

    /// Returns the encoded output with its key and the hash of the arguments.
    pub(crate) fn keyed<E>(&self, output: &T) -> Result<Keyed, ServeError<E>> {
        Ok(Keyed {
            key: self.key.clone(),
            answer: self.encode(output)?,
            arguments: self.arguments,
        })
    }

    fn encode<E>(&self, output: &T) -> Result<Vec<u8>, ServeError<E>> {
        match catch(|| (self.write)(output)) {
            Ok(encoded) => encoded.map_err(|reason| ServeError::IdempotencyEncode { reason }),
            Err(message) => Err(ServeError::panicked(None, message)),
        }
    }

    /// Decodes the output of the command that ran under the key. Fails with `AnswerGone` if the output is no longer stored.
    pub(crate) fn decode<E>(&self, encoded: Option<&[u8]>) -> Result<T, ServeError<E>> {
        let encoded = encoded.ok_or(ServeError::AnswerGone)?;
        match catch(|| (self.read)(encoded)) {
            Ok(output) => output.map_err(|error| ServeError::IdempotencyMismatch {
                reason: format!("and its output does not fit: {error}"),
            }),
            Err(message) => Err(ServeError::panicked(None, message)),
        }
    }
}

/// Builds the stored form of a call's key from its scope, instance, action and given key. Returns an empty string if the given
/// key is too long; the call is then refused.
pub(super) fn call_key(caller: &Caller, state_key: &str, action: &str, key: &str) -> String {
    if key.len() > MAX_KEY_BYTES {
        return String::new();
    }
    joined(&["call", &scope(caller), state_key, action, key])
}

/// Builds the stored form of a held key, or an empty string if the given key is too long. The holder makes its keys unique, so
/// they need neither caller nor action.
pub(super) fn held_key(key: &str) -> String {
    if key.len() > MAX_KEY_BYTES {
        return String::new();
    }
    joined(&["held", key])
}

/// Returns the given key of a held key in its stored form.
pub(crate) fn held_given(key: &str) -> Option<&str> {
    match split(key) {
        Some(["held", given]) => Some(given),
        _ => None,
    }
}

/// Builds the stored form of a signal's key from its scope, source and id.
pub(crate) fn signal_key(caller: &Caller, source: &str, id: &str) -> String {
    joined(&["signal", &scope(caller), source, id])
}

/// Returns the scope of a caller's keys. A foreign caller has its own scope, so that it cannot read or use up the keys of the
/// program or of a different principal.
fn scope(caller: &Caller) -> String {
    if !caller.is_foreign() {
        return String::new();
    }
    let kind = format!("{:?}", caller.kind()).to_lowercase();
    match caller.principal() {
        Some(principal) => format!("{kind}/{principal}"),
        None => kind,
    }
}

/// Returns the stored form of a call's key with the instance's current state key.
pub(crate) fn at_state_key(key: String, state_key: &str) -> String {
    match split(&key) {
        Some(["call", scope, _, action, given]) => {
            joined(&["call", scope, state_key, action, given])
        }
        _ => key,
    }
}

/// Splits a string that [`joined`] created from `N` parts.
pub(super) fn split<const N: usize>(mut text: &str) -> Option<[&str; N]> {
    let mut parts = [""; N];
    for part in &mut parts {
        let (length, rest) = text.split_once(':')?;
        (*part, text) = rest.split_at_checked(length.parse().ok()?)?;
    }
    text.is_empty().then_some(parts)
}

/// Joins the parts together with their lengths, so that different lists always result in different strings.
pub(super) fn joined(parts: &[&str]) -> String {
    let mut text = String::with_capacity(joined_len(parts));
    for part in parts {
        let _ = write!(text, "{}:{part}", part.len());
    }
    text
}

/// Returns the length of the joined parts in bytes.
pub(super) fn joined_len(parts: &[&str]) -> usize {
    let digits = |length: usize| length.checked_ilog10().unwrap_or(0) as usize + 1;
    let parts = parts.iter();
    parts.map(|part| digits(part.len()) + 1 + part.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_a_call_follows_its_instance() {
        let parts = ["call", "model/a:b", "old", "pay", "3:x\n"];
        let key = joined(&parts);
        assert_eq!(split(&key), Some(parts));
        assert_eq!(key.len(), joined_len(&parts));
        let moved = at_state_key(key.clone(), "new");
        assert_eq!(
            split(&moved),
            Some(["call", "model/a:b", "new", "pay", "3:x\n"])
        );
        let signal = joined(&["signal", "old", "old", "old"]);
        assert_eq!(at_state_key(signal.clone(), "new"), signal);
        for other in ["", "x", "9:call", "1:é", &key[..key.len() - 1]] {
            assert_eq!(at_state_key(other.to_owned(), "new"), other);
        }
    }
}
