//! The inputs and outputs of commands.

pub(crate) mod caller;
pub(crate) mod error;
pub(crate) mod instruction;
pub(crate) mod outcome;
