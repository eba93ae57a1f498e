//! An agent for each id in one process: awake while it works, asleep while it is idle.
//!
//! [`Agents`] starts and stops the servers of many agents in one store. A call to an agent that sleeps wakes it. After
//! [`idle_after`](AgentsBuilder::idle_after), or when another agent needs its place, an idle agent sleeps again. It wakes by itself
//! for what it has scheduled.
#![forbid(unsafe_code)]

mod agents;
mod builder;
mod deliver;
mod due;
mod housekeeper;
mod index;
mod into_server;
mod places;
mod pool;
mod rest;
mod wake;

pub use agents::Agents;
pub use builder::{ATTEMPTS, AgentsBuilder, IDLE_AFTER, MOST_AWAKE, WITHIN};
pub use into_server::IntoServer;
