//! The program, as a person sees it.

mod model;
mod pty;

mod approvals;
mod editing;
#[cfg(feature = "mcp")]
mod mcp;
mod pipes;
mod signals;
mod transcript;
mod turns;
mod undo;
