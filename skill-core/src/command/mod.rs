//! Values that go into commands and come out of them.

pub(crate) mod caller;
pub(crate) mod error;
pub(crate) mod instruction;
pub(crate) mod outcome;
