//! The names that the toolbox reserves for itself.

/// The name of the tool that continues a cut result.
pub(crate) const READ_RESULT: &str = "read_result";

/// The name of that tool's source, which no other source may use.
pub const TOOLBOX: &str = "toolbox";
