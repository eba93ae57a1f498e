//! The names that are taken by the toolbox itself.

/// The name of the tool that reads a result on.
pub(super) const READ_RESULT: &str = "read_result";

/// The source of the tool, which no other source can be called.
pub const TOOLBOX: &str = "toolbox";
