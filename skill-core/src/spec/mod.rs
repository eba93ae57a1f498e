//! The specs of skills, actions and agents: plain data, known at compile time.

mod action;
mod agent;
mod constraints;
mod hints;
mod provenance;
mod schedule;
mod schemas;
mod secrets;
mod skill;
mod trigger;

pub use action::ActionSpec;
pub use agent::AgentSpec;
#[doc(hidden)]
pub use constraints::{Bounds, Constraints, FieldConstraints, Number};
pub use hints::{Hint, Hints};
pub use provenance::{Provenance, References};
pub use schedule::ScheduleSpec;
#[doc(hidden)]
pub use schedule::report_schedule;
pub use schemas::Schemas;
pub use secrets::Masked;
pub use skill::SkillSpec;
pub use skill_agent_schema::{MASK, SchemaFn};
pub use trigger::TriggerSpec;
