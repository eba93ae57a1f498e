//! Utilities for tests of served agents (feature `testing`).

mod faulty_store;
mod manual_clock;

pub use faulty_store::{Fault, FaultyStore, Pause};
pub use manual_clock::ManualClock;
