//! Why a command that succeeded was undone.

use super::ServeError;
use crate::limits::Limit;
use skill_agent_store::StoreError;
use std::sync::Arc;

/// Why a command that succeeded was undone.
#[derive(Debug)]
pub(crate) enum NotKept {
    /// It leads to too much.
    Limit(Limit),
    /// The store did not take its record.
    Store(Arc<StoreError>),
    /// It was undone for another reason, after the store did not take the record of a command before it.
    StoreBefore(Arc<StoreError>),
}

impl<E> ServeError<E> {
    /// The error of a command that was undone.
    pub(crate) fn not_kept(reason: NotKept) -> Self {
        match reason {
            NotKept::Limit(what) => Self::limit(what),
            NotKept::Store(source) => Self::store(source),
            NotKept::StoreBefore(source) => Self::store_before(source),
        }
    }
}
