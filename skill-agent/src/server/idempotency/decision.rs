//! The decisions on approval requests that were put off, stored under the ids of the requests.

use super::key::{IdempotencyKey, joined};
use crate::server::error::ServeError;
use crate::store::{Keyed, decode, encode};
use serde::{Deserialize, Serialize};

/// The stored key of the secret of approval requests.
pub(crate) const APPROVAL_SECRET_KEY: &str = "15:approval secret";

const PREFIX: &str = "8:decision";

/// The stored key of the decision on a request. Those of later requests are greater, as their ids are.
pub(crate) fn decision_key(request: &str) -> String {
    joined(&["decision", request])
}

/// Whether a stored key is that of a decision.
pub(super) fn is_decision(key: &str) -> bool {
    key.starts_with(PREFIX)
}

/// The stored key of a command without a key of its own that was approved later.
pub(crate) fn approval_key(request: &str) -> String {
    joined(&["approval", request])
}

/// A decision, as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum StoredDecision {
    /// The action has run; its output as JSON text.
    Output(String),
    Denied(String),
    Aborted(String),
}

impl StoredDecision {
    /// The decision in the form of a record.
    pub(crate) fn keyed(&self, request: &str) -> Result<Keyed, String> {
        Ok(Keyed {
            key: decision_key(request),
            answer: encode(self).map_err(|error| error.to_string())?,
            arguments: None,
        })
    }

    /// The answer to a repeated decision.
    pub(crate) fn read<E>(stored: &[u8], action: String) -> Result<String, ServeError<E>> {
        let action = action.into();
        match decode(stored) {
            Ok(Self::Output(text)) => Ok(text),
            Ok(Self::Denied(reason)) => {
                let reason = reason.into();
                Err(ServeError::Denied { action, reason })
            }
            Ok(Self::Aborted(reason)) => {
                let reason = reason.into();
                Err(ServeError::Aborted { action, reason })
            }
            Err(error) => Err(ServeError::InvalidRequest {
                reason: format!("the decision on it cannot be read: {error}").into(),
            }),
        }
    }
}

impl IdempotencyKey<String> {
    /// The key under which the decision on a request is stored with the output of its command.
    pub(crate) fn of_decision(request: &str) -> Self {
        Self::new_text(decision_key(request), |text| {
            encode(&StoredDecision::Output(text.clone())).map_err(|error| error.to_string())
        })
    }
}
