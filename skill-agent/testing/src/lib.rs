//! Utilities for tests of agents and servers (feature `testing`).

mod assert_contract;
mod faulty_store;
mod skill;
#[cfg(feature = "documents")]
mod texts;
mod tools_fit;

pub use assert_contract::assert_contract;
pub use faulty_store::{Fault, FaultyStore, Pause};
pub use skill::assert_skill;
pub use skill_agent_server::clock::ManualClock;
#[cfg(feature = "documents")]
pub use texts::assert_texts;
pub use tools_fit::assert_tools_fit;
