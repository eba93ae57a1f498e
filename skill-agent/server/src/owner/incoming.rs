//! A signal that is being processed.

use super::signal_progress::SignalProgress;
use crate::chain::Chain;
use crate::error::{ServeError, SignalError};
use crate::idempotency::signal_key;
use crate::limits::{Limit, MAX_KEY_BYTES};
use crate::mailbox::responder::Responder;
use serde_json::Value;
use skill_agent_schema::shorten_type;
use skill_core::{Caller, CallerKind, Signal, Stamp};
use std::time::SystemTime;

/// The origin of a signal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    /// The number of the directive that delivers it.
    pub(crate) number: Option<u64>,
    pub(crate) chain: Chain,
    /// Whether the agent sent it to itself.
    pub(crate) is_own: bool,
}

/// A signal that is being processed.
pub(super) struct Incoming {
    pub(super) signal: Signal,
    /// Its type, shortened, for reports while the signal is moved out.
    pub(super) ty: String,
    pub(super) responder: Option<Responder<Value, SignalError>>,
    pub(super) origins: Origins,
    pub(super) caller: Caller,
    /// Its idempotency key.
    pub(super) key: Option<String>,
    /// Whether a signal with the key is recorded or runs.
    pub(super) is_repeated: bool,
    /// The time and its id, the same however often it is processed.
    pub(super) stamp: Stamp,
    /// The decision on an earlier request with the signal.
    pub(super) decision: Option<SignalDecision>,
    pub(super) progress: SignalProgress,
}

/// A decision on a request with a signal.
pub(super) struct SignalDecision {
    pub(super) request: String,
    /// The key of the signal when the request was made, or one of the request.
    pub(super) key: String,
}

impl Incoming {
    pub(super) fn new(
        signal: Signal,
        responder: Option<Responder<Value, SignalError>>,
        caller: Caller,
        origins: Origins,
    ) -> Self {
        Self {
            ty: shorten_type(signal.ty()).into_owned(),
            signal,
            responder,
            origins,
            // Wrapping a call in a signal grants no rights.
            caller: if caller.is_foreign() {
                caller
            } else {
                caller.with_kind(CallerKind::Signal)
            },
            key: None,
            is_repeated: false,
            stamp: Stamp::new(SystemTime::UNIX_EPOCH, ""),
            decision: None,
            progress: SignalProgress::default(),
        }
    }
}

/// The idempotency key of a signal from outside: its own source and id.
///
/// # Errors
/// If one of them is too long.
pub(super) fn key_of(incoming: &Incoming) -> Result<Option<String>, ServeError<SignalError>> {
    let (Some(source), Some(id)) = (incoming.signal.source(), incoming.signal.id()) else {
        return Ok(None);
    };
    if incoming.origins.is_own {
        return Ok(None);
    }
    if source.len().max(id.len()) > MAX_KEY_BYTES {
        return Err(ServeError::limit(Limit::SignalIdBytes));
    }
    Ok(Some(signal_key(&incoming.caller, source, id)))
}

/// The address of a reply: the extension `replyto`.
pub(super) fn reply_to(signal: &Signal) -> Option<String> {
    let address = signal.extensions().get("replyto")?;
    address.as_str().map(str::to_owned)
}
