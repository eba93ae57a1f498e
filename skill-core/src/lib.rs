//! Skills for LLM agents, composed at compile time: the pure layer.
//!
//! A skill library depends on this crate alone; a program that runs agents depends on `skill-agent`, which re-exports it.
//! Everything here is values and functions: no I/O, no clock, no ids, no tasks.
//!
//! - [`Skill`]: a type with state, configuration and actions; `#[derive(Skill)]`.
//! - [`Action`]: a typed command of a skill; `#[action]` on a function.
//! - [`Agent`]: a list of skills; `agent!`.
//! - [`Signal`], [`Pattern`], [`Router`]: messages, and the actions that they run.
//! - [`Directive`]: an effect that an action describes and a server carries out.
#![forbid(unsafe_code)]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod action;
mod agent;
mod arguments;
mod async_action;
mod caller;
mod child;
mod composition;
mod context;
mod data;
mod directive;
mod error;
mod hooks;
mod instruction;
mod json;
mod mounted;
mod outcome;
#[doc(hidden)]
pub mod probe;
#[doc(hidden)]
pub mod process;
mod routing;
mod signal;
mod skill;
mod spec;
mod tool;

pub use action::{Action, ActionEntry, ActionOf, Kind, Pure, PureAction};
pub use agent::{Agent, AgentBuilder, AgentRunsWith, HasSkill, Instance, RunsOn, SkillOf};
pub use arguments::{Length, Ranged, Textual};
// rustc errors name these; it prints the shortest public path of an item
#[doc(hidden)]
pub use agent::{At, SlotRunsWith, SlotsRunWith};
#[doc(hidden)]
pub use arguments::{ArgumentAt, limit_length, limit_pattern, limit_range};
pub use async_action::{Async, AsyncAction, Provide, Resources, RunsWith, SkillRunsWith};
#[doc(hidden)]
pub use async_action::{KindRunsWith, RunWith, report_resources};
pub use caller::{Caller, CallerKind};
pub use child::{
    BoxFuture, ChildContext, ChildFuture, ChildHost, ChildSendError, ChildSpec, ChildStop,
    ChildTest, Restart, Shutdown,
};
pub use context::{Context, Stamp};
pub use data::{
    ActionArguments, ActionError, Answer, Argument, ConfigOf, Configuration, SkillState,
};
pub use directive::{Directive, Effect, Origin, Reply, Schedule, Spawn};
pub use error::{CallError, RunError};
pub use hooks::{Handled, HookEntry, HookError, Hooks, Start};
pub use instruction::Instruction;
pub use json::{MAX_ARGUMENT_BYTES, MAX_DEPTH, Problem, ReadError, StateError, WriteError};
pub use mounted::{DeliverError, Document, MountError, Mountable, Mounted, Registry, SkillList};
pub use outcome::Outcome;
pub use routing::{Match, Pattern, PatternError, PatternFault, Route, RouteError, RouteId, Router};
pub use signal::{ExtensionError, ExtensionFault, Signal};
#[doc(hidden)]
pub use skill::report_toolset;
pub use skill::{NoConfig, Skill};
pub use spec::{ActionSpec, AgentSpec, Hints, SchemaFn, Schemas, SkillSpec, TriggerSpec};
pub use tool::{Tool, ToolBuf};

pub(crate) use error::CallFailure;

#[cfg(feature = "macros")]
pub use skill_macros::{Resources, Skill, SkillConfig, action, agent};

pub use schemars;
pub use serde;
pub use serde_json;
