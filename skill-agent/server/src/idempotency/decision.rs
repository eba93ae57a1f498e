//! Decisions on deferred approval requests, stored by request id.

use super::key::joined;
use super::tables::DECISIONS;
use crate::error::{ServeError, with_reason};
use crate::guard::Rejection;
use serde::{Deserialize, Serialize};
use skill_agent_store::{Keyed, TableChange, decode, encode};
use std::collections::BTreeMap;

/// The key under which the secret that seals approval requests is stored.
pub(crate) const APPROVAL_SECRET_KEY: &str = "15:approval secret";

/// The maximum number of stored decisions.
pub(super) const KEPT: usize = 10_000;

/// Returns the key under which the decision on a request is stored.
pub(crate) fn decision_key(request: &str) -> String {
    joined(&["decision", request])
}

/// Returns the change that forgets the decision on a request.
pub(crate) fn undecided(request: &str) -> TableChange {
    TableChange::delete(DECISIONS, request)
}

/// Returns the key for a deferred command that has no idempotency key. The command is stored under this key once it is approved.
pub(crate) fn approval_key(request: &str) -> String {
    joined(&["approval", request])
}

/// A decision, in its stored form.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum StoredDecision {
    /// The action has run, with this output as JSON text.
    Output(String),
    Rejected(Rejection),
}

impl StoredDecision {
    /// Encodes the decision, together with its key.
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

    /// Returns whether an encoded decision is a rejection.
    pub(super) fn is_rejection(stored: &[u8]) -> bool {
        matches!(decode(stored), Ok(Self::Rejected(_)))
    }

    /// Returns the response to a repeated decision. Fails with `AnswerGone` if the decision is no longer stored.
    pub(crate) fn read<E>(stored: Option<&[u8]>, action: String) -> Result<String, ServeError<E>> {
        let stored = stored.ok_or(ServeError::AnswerGone)?;
        match decode(stored) {
            Ok(Self::Output(text)) => Ok(text),
            Ok(Self::Rejected(mut rejection)) => {
                let reason = with_reason(&rejection.reason);
                rejection.reason = format!("the request was decided before{reason}").into();
                Err(ServeError::rejected(rejection, action))
            }
            Err(error) => Err(ServeError::InvalidRequest {
                reason: format!("the decision on it cannot be read: {error}").into(),
            }),
        }
    }
}

/// The decisions on the last 10,000 requests. Newer requests have greater ids. Rejections are kept in encoded form.
pub struct Decisions {
    decisions: BTreeMap<String, Option<Vec<u8>>>,
    /// The newest request whose decision was evicted.
    forgotten: Option<String>,
    kept: usize,
}

impl Default for Decisions {
    fn default() -> Self {
        Self {
            decisions: BTreeMap::new(),
            forgotten: None,
            kept: KEPT,
        }
    }
}

impl Decisions {
    /// Returns the decision on a request, if it is known. The inner value is the encoded rejection, or `None` for an approval.
    pub fn get(&self, request: &str) -> Option<Option<&[u8]>> {
        self.decisions.get(request).map(Option::as_deref)
    }

    /// Adds a decision. Returns the request whose decision was evicted, if any.
    pub fn insert(&mut self, request: String, rejection: Option<Vec<u8>>) -> Option<String> {
        self.decisions.insert(request, rejection);
        if self.decisions.len() <= self.kept {
            return None;
        }
        let (request, _) = self.decisions.pop_first()?;
        self.forget_up_to(request.clone());
        Some(request)
    }

    /// Returns the newest request whose decision was evicted.
    pub fn forgotten(&self) -> Option<&str> {
        self.forgotten.as_deref()
    }

    /// Records that the decisions on requests up to this one may have been evicted.
    pub fn forget_up_to(&mut self, request: String) {
        self.forgotten = self.forgotten.take().max(Some(request));
    }

    /// Removes the decision on a request, so that the request can be decided again.
    pub fn remove(&mut self, request: &str) {
        self.decisions.remove(request);
    }

    /// Returns whether the decision on a request may have been evicted.
    pub fn may_be_forgotten(&self, request: &str) -> bool {
        self.forgotten()
            .is_some_and(|forgotten| request <= forgotten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_let_go_of_for_later_ones_and_it_is_known_which() {
        let mut decisions = Decisions {
            kept: 3,
            ..Decisions::default()
        };
        for request in ["2", "3", "4"] {
            assert_eq!(decisions.insert(request.to_owned(), None), None);
            assert!(!decisions.may_be_forgotten("1"), "no decision is gone");
        }
        let rejection = Some(vec![1]);
        let gone = decisions.insert("5".to_owned(), rejection);
        assert_eq!(gone, Some("2".to_owned()));
        assert_eq!((decisions.get("2"), decisions.get("3")), (None, Some(None)));
        assert_eq!(decisions.get("5"), Some(Some(&[1][..])));
        assert!(decisions.may_be_forgotten("1") && decisions.may_be_forgotten("2"));
        // undoing the decision makes room again
        decisions.remove("5");
        assert!(decisions.may_be_forgotten("2"), "its decision is gone");
        assert!(!decisions.may_be_forgotten("3"));
        let gone = decisions.insert("1".to_owned(), None);
        assert_eq!(gone, None);
        assert_eq!(decisions.insert("6".to_owned(), None).as_deref(), Some("1"));
        assert!(
            decisions.may_be_forgotten("2"),
            "the newest that is gone counts"
        );
    }
}
