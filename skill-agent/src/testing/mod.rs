//! Utilities for tests of served agents (feature `testing`).

mod manual_clock;

pub use manual_clock::ManualClock;
