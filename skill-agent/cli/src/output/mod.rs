//! Writes text to a terminal.

pub(crate) mod draw;
pub(crate) mod escape;
pub(crate) mod progress;
pub(crate) mod screen;
