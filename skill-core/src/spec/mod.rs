//! What a skill, an action and an agent say of themselves: plain data, known while compiling.

mod action;
mod agent;
mod schemas;
mod skill;
mod trigger;

pub use action::{ActionSpec, Hints, Route, RouteError};
pub use agent::AgentSpec;
pub use schemas::{SchemaFn, Schemas};
pub use skill::{Provenance, SkillSpec};
pub use trigger::TriggerSpec;
