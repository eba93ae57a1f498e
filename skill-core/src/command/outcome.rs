//! [`Outcome`]: the result of a command.

use crate::Directive;

/// A command's output, and the effects that the command describes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome<T> {
    /// The command's output.
    pub output: T,
    /// The directives in the order they were queued.
    pub directives: Vec<Directive>,
}

impl<T> Outcome<T> {
    #[inline]
    pub(crate) fn new(output: T, directives: Vec<Directive>) -> Self {
        Self { output, directives }
    }

    /// Applies `change` to the output.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Outcome<U> {
        Outcome::new(change(self.output), self.directives)
    }
}
