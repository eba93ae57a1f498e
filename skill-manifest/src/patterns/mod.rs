//! Patterns in documents: globs of files and patterns of ids.

pub(crate) mod glob;
pub(crate) mod pattern;
