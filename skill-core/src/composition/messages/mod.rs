//! The messages of compile errors, and the functions that report them.

pub(crate) mod arguments;
pub(crate) mod clashes;
pub(crate) mod const_message;
pub(crate) mod literals;
pub(crate) mod references;
pub(crate) mod report;
pub(crate) mod requirements;
