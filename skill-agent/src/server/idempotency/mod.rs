//! Idempotency keys, and the outputs that are stored under them.

mod key;
mod recent_answers;
mod translation;

pub(crate) use key::{APPROVAL_SECRET_KEY, IdempotencyKey, approval_key, denial_key, signal_key};
pub(crate) use recent_answers::RecentAnswers;
pub(crate) use translation::translate_keys;
