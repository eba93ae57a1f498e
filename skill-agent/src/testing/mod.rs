//! What tests of served agents need (feature `testing`).

mod manual_clock;

pub use manual_clock::ManualClock;
