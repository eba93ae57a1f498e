//! What a skill, an action and an agent say of themselves: plain data, known while compiling.

mod action;
mod agent;
mod schemas;
mod skill;
mod trigger;

pub use crate::json::SchemaFn;
pub use action::{ActionSpec, Hints};
pub use agent::AgentSpec;
pub use schemas::Schemas;
pub use skill::{Provenance, SkillSpec};
pub use trigger::TriggerSpec;
