//! The decisions on deferred approval requests, stored under the ids of the requests.

use super::key::joined;
use crate::server::error::ServeError;
use crate::server::guard::Rejection;
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
    Rejected(Rejection),
}

impl StoredDecision {
    /// The decision in the form of a record.
    pub(crate) fn keyed<E>(&self, request: &str) -> Result<Keyed, ServeError<E>> {
        let answer = encode(self).map_err(|error| ServeError::IdempotencyEncode {
            reason: error.to_string(),
        })?;
        Ok(Keyed {
            key: decision_key(request),
            answer,
            arguments: None,
        })
    }

    /// The answer to a repeated decision.
    pub(crate) fn read<E>(stored: &[u8], action: String) -> Result<String, ServeError<E>> {
        match decode(stored) {
            Ok(Self::Output(text)) => Ok(text),
            Ok(Self::Rejected(rejection)) => Err(ServeError::rejected(rejection, action)),
            Err(error) => Err(ServeError::InvalidRequest {
                reason: format!("the decision on it cannot be read: {error}").into(),
            }),
        }
    }
}
