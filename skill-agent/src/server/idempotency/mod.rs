//! Idempotency keys, and the outputs that are stored under them.

mod decision;
mod key;
mod recent_answers;
mod translation;

pub(crate) use decision::{APPROVAL_SECRET_KEY, StoredDecision, approval_key, decision_key};
pub(crate) use key::{IdempotencyKey, key_of_instance, signal_key};
pub(crate) use recent_answers::RecentAnswers;
pub(crate) use translation::translate_keys;
