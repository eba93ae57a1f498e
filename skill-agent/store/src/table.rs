//! The side tables of a log, and the changes that a commit makes to them.

use super::error::Refusal;
use crate::bytes::frame::PayloadKind;
use std::borrow::Cow;
use std::ops::{Bound, RangeBounds};

/// The maximum length of a table name in bytes. The minimum length is 1.
const NAME_MAX: usize = 64;
/// The maximum length of a row's key in bytes.
const KEY_MAX: usize = 4 << 10;

/// A change to a side table, as part of a [`Commit`](super::Commit).
///
/// An engine must refuse a commit that contains an unknown change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableChange {
    /// Inserts a row, or replaces the row with this key.
    #[non_exhaustive]
    Put {
        /// The table's name.
        table: Cow<'static, str>,
        /// The row's key.
        key: Vec<u8>,
        /// The row's new value.
        value: Vec<u8>,
    },
    /// Deletes the row with this key if it exists.
    #[non_exhaustive]
    Delete {
        /// The table's name.
        table: Cow<'static, str>,
        /// The row's key.
        key: Vec<u8>,
    },
    /// Deletes the rows in a range of keys, which must not be empty.
    #[non_exhaustive]
    DeleteRange {
        /// The table's name.
        table: Cow<'static, str>,
        /// The first key of the range.
        from: Vec<u8>,
        /// The first key after the range, or `None` for the rest of the table.
        to: Option<Vec<u8>>,
    },
}

/// Constructors for the other crates of `skill-agent`, whereas programs use [`Commit`](super::Commit).
#[doc(hidden)]
impl TableChange {
    pub fn put(
        table: impl Into<Cow<'static, str>>,
        key: impl Into<Vec<u8>>,
        value: impl Into<Vec<u8>>,
    ) -> Self {
        Self::Put {
            table: table.into(),
            key: key.into(),
            value: value.into(),
        }
    }

    pub fn delete(table: impl Into<Cow<'static, str>>, key: impl Into<Vec<u8>>) -> Self {
        Self::Delete {
            table: table.into(),
            key: key.into(),
        }
    }

    pub fn delete_all(table: impl Into<Cow<'static, str>>) -> Self {
        Self::DeleteRange {
            table: table.into(),
            from: Vec::new(),
            to: None,
        }
    }

    /// Creates the change that deletes a range of keys. Returns `None` if the range is empty.
    pub fn delete_range(
        table: Cow<'static, str>,
        keys: &impl RangeBounds<Vec<u8>>,
    ) -> Option<Self> {
        let from = match keys.start_bound() {
            Bound::Included(key) => key.clone(),
            Bound::Excluded(key) => successor(key),
            Bound::Unbounded => Vec::new(),
        };
        let to = match keys.end_bound() {
            Bound::Included(key) => Some(successor(key)),
            Bound::Excluded(key) => Some(key.clone()),
            Bound::Unbounded => None,
        };
        let is_empty = to.as_ref().is_some_and(|to| *to <= from);
        (!is_empty).then_some(Self::DeleteRange { table, from, to })
    }
}

impl TableChange {
    /// Estimates the size of the change in bytes.
    #[doc(hidden)]
    pub fn size(&self) -> usize {
        match self {
            Self::Put { key, value, .. } => key.len() + value.len(),
            Self::Delete { key, .. } => key.len(),
            Self::DeleteRange { from, to, .. } => from.len() + to.as_ref().map_or(0, Vec::len),
        }
    }

    /// Checks the sizes of names, keys and values.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        match self {
            Self::Put { table, key, value } => {
                check_key(table, key)?;
                check_size(value, PayloadKind::Record.limit(), |size, limit| {
                    Refusal::ValueTooLarge {
                        table: table.to_string(),
                        size,
                        limit,
                    }
                })
            }
            Self::Delete { table, key } => check_key(table, key),
            Self::DeleteRange { table, from, to } => {
                check_bound(table, from)?;
                to.iter().try_for_each(|to| check_bound(table, to))
            }
        }
    }
}

/// Returns the next key after `key` in byte order.
pub fn successor(key: &[u8]) -> Vec<u8> {
    [key, &[0]].concat()
}

pub(super) fn check_key(table: &str, key: &[u8]) -> Result<(), Refusal> {
    check_name(table)?;
    check_size(key, KEY_MAX, |size, limit| Refusal::KeyTooLarge {
        table: table.to_owned(),
        size,
        limit,
    })
}

/// Checks a bound of a key range. The successor of a key with the maximum length is also valid.
pub(super) fn check_bound(table: &str, bound: &[u8]) -> Result<(), Refusal> {
    check_key(table, bound.strip_suffix(&[0]).unwrap_or(bound))
}

fn check_name(table: &str) -> Result<(), Refusal> {
    match table.len() {
        1..=NAME_MAX => Ok(()),
        size => Err(Refusal::TableName {
            size,
            limit: NAME_MAX,
        }),
    }
}

fn check_size(
    bytes: &[u8],
    limit: usize,
    too_large: impl FnOnce(usize, usize) -> Refusal,
) -> Result<(), Refusal> {
    if bytes.len() > limit {
        return Err(too_large(bytes.len(), limit));
    }
    Ok(())
}
