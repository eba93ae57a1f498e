//! Patterns in documents: globs for files, and trigger patterns.

pub(crate) mod glob;
pub(crate) mod pattern;
