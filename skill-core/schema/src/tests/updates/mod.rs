//! Tests of state updates and their laws.

mod laws;
mod merging;
mod mistakes;
mod ordering;
mod patching;
mod repairing;
mod replacing;
mod shelf;
