//! The program, as a person sees it.

mod model;
mod pty;

mod approvals;
mod editing;
mod pipes;
mod signals;
mod turns;
