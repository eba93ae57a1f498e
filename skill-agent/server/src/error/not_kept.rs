//! Why a command that succeeded was undone.

use super::{Applied, RepeatError, ServeError};
use crate::limits::Limit;
use skill_agent_store::StoreError;
use std::borrow::Cow;
use std::sync::Arc;

/// Why a command that succeeded was undone.
#[derive(Debug)]
pub(crate) enum NotKept {
    /// The command exceeds a limit.
    Limit(Limit),
    /// The times of a repeating schedule cannot be computed.
    Repeat {
        /// The skill that scheduled it.
        skill: Cow<'static, str>,
        reason: RepeatError,
    },
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
            NotKept::Repeat { skill, reason } => Self::Repeat { skill, reason },
            NotKept::Store(source) => Self::store(source),
            NotKept::StoreBefore(source) => Self::store_before(source),
        }
    }

    /// Returns the error for a command that exceeds a limit.
    #[doc(hidden)]
    pub fn limit(what: Limit) -> Self {
        let max = what.max();
        Self::Limit { what, max }
    }

    /// Returns the error for a command whose record could not be stored.
    pub(crate) fn store(source: Arc<StoreError>) -> Self {
        let applied = if source.leaves_log_usable() {
            Applied::No
        } else {
            Applied::Unknown
        };
        Self::Store {
            source,
            applied,
            has_key: false,
        }
    }

    /// Returns the error for a request that applied nothing, because an earlier record could not be stored or a read of the store
    /// failed.
    pub(crate) fn store_before(source: Arc<StoreError>) -> Self {
        Self::Store {
            source,
            applied: Applied::No,
            has_key: false,
        }
    }
}
