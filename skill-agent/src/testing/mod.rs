//! Utilities for tests of agents and servers (feature `testing`).

mod assert_contract;
mod faulty_store;
mod manual_clock;
mod skill;
#[cfg(feature = "manifest")]
mod texts;
mod tools_fit;

pub use assert_contract::assert_contract;
pub use faulty_store::{Fault, FaultyStore, Pause};
pub use manual_clock::ManualClock;
pub use skill::assert_skill;
#[cfg(feature = "manifest")]
pub use texts::assert_texts;
pub use tools_fit::assert_tools_fit;
