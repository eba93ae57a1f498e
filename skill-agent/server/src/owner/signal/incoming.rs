//! A signal in processing.

use crate::chain::Chain;
use crate::error::{ServeError, SignalError};
use crate::idempotency::{StoredDecision, signal_key};
use crate::limits::{Limit, MAX_KEY_BYTES};
use crate::mailbox::responder::Responder;
use crate::owner::signal::progress::SignalProgress;
use serde_json::Value;
use skill_agent_schema::shorten_type;
use skill_agent_store::{Keyed, encode};
use skill_core::{Caller, CallerKind, Signal, Stamp};
use std::time::SystemTime;

/// Where a signal comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    /// The number of the directive that delivers the signal.
    pub(crate) number: Option<u64>,
    pub(crate) chain: Chain,
    /// Whether the agent sent the signal to itself.
    pub(crate) is_own: bool,
}

/// A signal in processing.
pub(crate) struct Incoming {
    pub(crate) signal: Signal,
    /// The shortened signal type, for reports while the signal is moved out.
    pub(crate) ty: String,
    pub(crate) responder: Option<Responder<Value, SignalError>>,
    pub(crate) origins: Origins,
    pub(crate) caller: Caller,
    /// The signal's idempotency key.
    pub(crate) key: Option<String>,
    /// Whether a signal with the same key is recorded or running.
    pub(crate) is_repeated: bool,
    /// The time and the command's id, which stay the same when the signal is processed again.
    pub(crate) stamp: Stamp,
    /// The decision on an earlier approval request with this signal.
    pub(crate) decision: Option<SignalDecision>,
    pub(crate) progress: SignalProgress,
}

/// A decision on an approval request with a signal.
pub(crate) struct SignalDecision {
    pub(crate) request: String,
    /// The signal's key when the request was made, or a key made from the request's id.
    pub(crate) key: String,
}

impl Incoming {
    pub(crate) fn new(
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

/// Returns the idempotency key of an outside signal, made from its source and id.
///
/// # Errors
/// Returns an error if the source or the id is too long.
pub(crate) fn key_of(incoming: &Incoming) -> Result<Option<String>, ServeError<SignalError>> {
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

/// Returns the reply address: the extension `replyto`.
pub(crate) fn reply_to(signal: &Signal) -> Option<String> {
    let address = signal.extensions().get("replyto")?;
    address.as_str().map(str::to_owned)
}

/// Encodes a signal's answer for the store: under the signal's key, and under the decision that it carries out.
pub(crate) fn stored_answer(
    incoming: &Incoming,
    answer: &Value,
) -> Result<(Option<Keyed>, Option<Keyed>), ServeError<SignalError>> {
    let keyed = incoming.key.clone().map(|key| {
        let written = encode(answer).map_err(|error| ServeError::IdempotencyEncode {
            reason: error.to_string(),
        });
        written.map(|answer| Keyed {
            key,
            answer,
            arguments: None,
        })
    });
    let decision = incoming.decision.as_ref();
    let decision = decision.map(|decision| {
        let output = StoredDecision::Output(answer.to_string());
        output.keyed(&decision.request)
    });
    Ok((keyed.transpose()?, decision.transpose()?))
}
