//! Checks constraints on arguments as soon as a value is read.

use super::LimitUse;

/// A constraint on a value. [`Unchecked`] allows every value, at no cost.
pub trait Check<T> {
    /// # Errors
    /// Returns a description of the expected value.
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

/// A function that checks all constraints on one argument.
#[derive(Clone, Copy, Debug)]
pub struct Checked<T>(pub fn(LimitUse<'_, T>) -> Result<(), String>);

impl<T> Check<T> for Checked<T> {
    fn check(&self, value: &T) -> Result<(), String> {
        (self.0)(LimitUse::Check(value))
    }
}

/// Adds the argument's name to the error. Used for arguments that serde's derive reads, because the derive does not track the
/// path.
///
/// # Errors
/// Fails if `check` is an error.
pub fn check_argument<E: serde::de::Error>(name: &str, check: Result<(), String>) -> Result<(), E> {
    check.map_err(|broken| E::custom(format_args!("the argument `{name}`: {broken}")))
}
