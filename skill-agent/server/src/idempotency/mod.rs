//! Idempotency keys, and the outputs that are stored under them.

mod answers;
mod by_age;
mod call_keys;
mod decision;
mod held_keys;
mod key;
mod row_key;
mod running_keys;
mod signal_keys;
mod tables;
mod used_keys;

pub use decision::Decisions;
pub(crate) use decision::{
    APPROVAL_SECRET_KEY, StoredDecision, approval_key, decision_key, undecided,
};
pub use key::CallKey;
pub(crate) use key::{GivenKey, IdempotencyKey, at_state_key, held_given, held_output, signal_key};
pub(crate) use running_keys::RunningKeys;
pub(crate) use tables::KeyTables;
pub(crate) use used_keys::UsedKeys;
