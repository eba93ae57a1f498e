//! The error of a hook.

use std::error::Error as StdError;
use std::fmt;

/// Why a hook failed. Made from any error by `?`.
#[derive(Debug)]
pub struct HookError(Box<dyn StdError + Send + Sync>);

impl HookError {
    /// An error that says `message`.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into().into())
    }

    /// Takes the error it was made from, if that is an `E`.
    ///
    /// # Errors
    /// Itself, when it was made from another.
    pub fn downcast<E: StdError + 'static>(self) -> Result<E, Self> {
        self.0.downcast().map(|error| *error).map_err(Self)
    }

    /// The error it was made from, owned.
    pub fn into_inner(self) -> Box<dyn StdError + Send + Sync> {
        self.0
    }

    /// The error it was made from.
    pub fn inner(&self) -> &(dyn StdError + Send + Sync + 'static) {
        &*self.0
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
