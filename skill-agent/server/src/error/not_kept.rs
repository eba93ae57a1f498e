//! Why a command that succeeded was undone.

use super::ServeError;
use crate::limits::Limit;
use skill_agent_store::StoreError;
use std::sync::Arc;

/// Why a command that succeeded was undone.
#[derive(Debug)]
pub(crate) enum NotKept {
    /// The command exceeds a limit.
    Limit(Limit),
    /// The store did not accept the command's record.
    Store(Arc<StoreError>),
    /// The store did not accept an earlier record, and the command was undone for another reason.
    StoreBefore(Arc<StoreError>),
}

impl<E> ServeError<E> {
    /// Returns the error for a command that was undone.
    pub(crate) fn not_kept(reason: NotKept) -> Self {
        match reason {
            NotKept::Limit(what) => Self::limit(what),
            NotKept::Store(source) => Self::store(source),
            NotKept::StoreBefore(source) => Self::store_before(source),
        }
    }
}
