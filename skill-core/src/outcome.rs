//! What a command gives.

use crate::Directive;

/// The answer of a command, and what it wishes to be done.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome<T> {
    /// The answer.
    pub output: T,
    /// What is to be done, in the order it was queued.
    pub directives: Vec<Directive>,
}

impl<T> Outcome<T> {
    #[inline]
    pub(crate) fn new(output: T, directives: Vec<Directive>) -> Self {
        Self { output, directives }
    }

    /// The same with another answer.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Outcome<U> {
        Outcome::new(change(self.output), self.directives)
    }
}
