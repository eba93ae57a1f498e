//! Idempotency keys, and the outputs that are stored under them.

mod key;
mod recent_answers;
mod translation;

pub(crate) use key::{IdempotencyKey, signal_key};
pub(crate) use recent_answers::RecentAnswers;
pub(crate) use translation::translate_keys;
