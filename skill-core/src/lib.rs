//! Skills for LLM agents, put together at compile time: the pure layer.
//!
//! A skill library depends on this crate alone; a program that runs agents depends on `skill-agent`, which re-exports it.
//! Everything here is values and functions: no I/O, no clock, no ids, no tasks.
//!
//! - [`Skill`]: state, configuration and actions in one bundle; `#[derive(Skill)]`.
//! - [`Action`]: a typed command of a skill; `#[action]` on a function.
//! - [`Agent`]: a list of skills; `agent!`.
//! - [`Directive`]: an effect that pure code describes and a server carries out.
#![forbid(unsafe_code)]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod action;
mod agent;
mod arguments;
mod compose;
mod context;
mod data;
mod directive;
mod error;
mod hooks;
mod instruction;
mod json;
mod outcome;
#[doc(hidden)]
pub mod probe;
mod signal;
mod skill;
mod spec;
mod tool;

pub use action::{Action, ActionEntry, ActionOf, Kind, Pure, PureAction};
pub use agent::{Agent, AgentBuilder, HasSkill, Instance, RunsOn, SkillOf};
pub use arguments::{Length, Ranged, Textual};
// named by errors of rustc, which spells an item by its shortest path
#[doc(hidden)]
pub use arguments::{ArgumentAt, limit_length, limit_pattern, limit_range};
pub use context::{Context, Stamp};
pub use data::{ActionArguments, ActionError, Answer, Argument, ConfigOf, SkillConfig, SkillState};
pub use directive::{Directive, Effect, Origin, Reply, Schedule, Spawn};
pub use error::{CallError, RunError};
pub use hooks::{Handled, HookError, Hooks, Start};
pub use instruction::Instruction;
pub use json::{MAX_ARGUMENT_BYTES, MAX_DEPTH, Problem, ReadError, StateError, WriteError};
pub use outcome::Outcome;
pub use signal::{ExtensionError, Signal};
pub use skill::{NoConfig, Skill};
pub use spec::{ActionSpec, AgentSpec, Hints, Route, SchemaFn, Schemas, SkillSpec};
pub use tool::{Tool, ToolBuf};

pub(crate) use error::CallFailure;

#[cfg(feature = "macros")]
pub use skill_macros::{Skill, action, agent};

pub use schemars;
pub use serde;
pub use serde_json;
