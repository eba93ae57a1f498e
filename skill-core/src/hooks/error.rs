//! The error that a hook returns.

use crate::mounted::MountError;
use std::error::Error as StdError;
use std::fmt;

/// A hook's error. The operator `?` converts any error into it.
#[derive(Debug)]
pub struct HookError(Box<dyn StdError + Send + Sync>);

impl HookError {
    /// Creates an error with a message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into().into())
    }

    /// Returns the original error if it is an `E`.
    ///
    /// # Errors
    /// Returns `self` if the original error has a different type.
    pub fn downcast<E: StdError + 'static>(self) -> Result<E, Self> {
        self.0.downcast().map(|error| *error).map_err(Self)
    }

    /// Returns the original error.
    pub fn into_inner(self) -> Box<dyn StdError + Send + Sync> {
        self.0
    }

    /// Creates the error for a failed mount operation that the hook queued.
    pub(crate) fn of_mount(error: MountError) -> Self {
        Self(Box::new(QueuedMountFailed(Box::new(error))))
    }

    /// Returns the mount error if a mount operation that the hook queued has failed.
    ///
    /// # Errors
    /// Returns the original error if the hook itself failed.
    #[doc(hidden)]
    pub fn __into_mount_error(self) -> Result<Box<MountError>, Box<dyn StdError + Send + Sync>> {
        let error = self.0.downcast::<QueuedMountFailed>();
        error.map(|failed| failed.0)
    }

    /// Returns a reference to the original error.
    pub fn inner(&self) -> &(dyn StdError + Send + Sync + 'static) {
        &*self.0
    }
}

/// A mount operation queued by a hook failed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct QueuedMountFailed(Box<MountError>);

/// The error for a skill that does not implement `Hooks::restore`.
#[derive(Debug, thiserror::Error)]
#[error("`{skill}` cannot read the state of its version {version}; implement `Hooks::restore`")]
pub(crate) struct NoRestore {
    pub(crate) skill: &'static str,
    pub(crate) version: String,
}

/// Returns the result of `Hooks::restore`, or `None` if the skill does not implement it.
pub(crate) fn restore_if_implemented(
    restored: Result<(), HookError>,
) -> Option<Result<(), HookError>> {
    match restored {
        Err(error) if error.0.is::<NoRestore>() => None,
        restored => Some(restored),
    }
}

impl fmt::Display for HookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for HookError {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}
