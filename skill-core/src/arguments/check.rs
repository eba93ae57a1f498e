//! Constraints on arguments, checked right after the value was read.

use super::Limiting;

/// A constraint on a value. [`Unchecked`] allows every value at no cost.
pub trait Check<T> {
    /// # Errors
    /// What the value should have been.
    fn check(&self, value: &T) -> Result<(), String>;
}

/// No constraint.
#[derive(Clone, Copy, Debug)]
pub struct Unchecked;

impl<T> Check<T> for Unchecked {
    #[inline]
    fn check(&self, _: &T) -> Result<(), String> {
        Ok(())
    }
}

/// The constraints of one argument, all in one function.
#[derive(Clone, Copy, Debug)]
pub struct Checked<T>(pub fn(Limiting<'_, T>) -> Result<(), String>);

impl<T> Check<T> for Checked<T> {
    fn check(&self, value: &T) -> Result<(), String> {
        (self.0)(Limiting::Check(value))
    }
}

/// Adds the name of the argument to its error, for arguments that serde's derive reads, where the path is not known.
///
/// # Errors
/// When the check failed.
pub fn check_argument<E: serde::de::Error>(name: &str, check: Result<(), String>) -> Result<(), E> {
    check.map_err(|broken| E::custom(format_args!("the argument `{name}`: {broken}")))
}
