//! One file for each command.

pub(crate) mod check;
pub(crate) mod check_file;
pub(crate) mod contract;
pub(crate) mod explain;
pub(crate) mod list;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod new;
pub(crate) mod prompt;
pub(crate) mod show;
pub(crate) mod validate;
