//! Skills for LLM agents, composed at compile time: the pure layer.
//!
//! A skill library depends only on this crate. A program that runs agents depends on `skill-agent`, which re-exports this crate.
//! Everything here is values and functions: there is no I/O, no clock, no random ids and no tasks.
//!
//! - [`Skill`]: a type with state, configuration and actions; `#[derive(Skill)]`.
//! - [`Action`]: a typed command of a skill; `#[action]` on a function.
//! - [`Agent`]: a list of skills; `agent!`.
//! - [`Signal`], [`Pattern`], [`Router`]: messages, and the actions they run.
//! - [`Directive`]: an effect that an action describes and a server carries out.
//!
//! # Features
//!
//! - `macros` (default): `#[derive(Skill)]`, `#[action]` and `agent!`.
//! - `manifest`: skills whose name and description come from a SKILL.md file.
//! - `ordered-json` (default): the keys of JSON objects and the properties of schemas stay in field order, and floats are read
//!   back exactly. This feature enables `preserve_order` and `float_roundtrip` of serde_json and `preserve_order` of schemars, in
//!   the whole build. Without this feature, keys are in alphabetical order, and a float may be read back as a neighbouring value.
#![cfg_attr(all(doctest, feature = "macros"), doc = include_str!("../README.md"))]
#![forbid(unsafe_code)]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod action;
mod agent;
mod arguments;
mod async_action;
pub mod bounds;
pub mod child;
pub(crate) mod command;
mod composition;
mod context;
pub mod directive;
mod hooks;
mod mounted;
mod panics;
pub mod policy;
#[doc(hidden)]
pub mod probe;
#[doc(hidden)]
pub mod process;
pub mod routing;
mod setters;
pub mod signal;
mod skill;
pub mod spec;
mod stored;
mod text_part;
#[doc(hidden)]
pub mod tokens;
mod tool;

pub use action::{Action, ActionEntry, Pure, PureAction};
pub use agent::{Agent, AgentBuilder, HasSkill, Instance, InstanceRef};
pub use async_action::{Async, AsyncAction, Provide, Resources};
pub use child::{ChildContext, ChildSpec};
pub use command::caller::{Caller, CallerKind, ForeignCaller};
pub use command::error::{CallError, RunError};
pub use command::instruction::{Instruction, IntoInstruction};
pub use command::outcome::Outcome;
pub use context::{Context, Stamp};
pub use directive::Directive;
pub use hooks::{Handled, HookEntry, HookError, Hooks, Start};
pub use mounted::{DeliverError, Document, MountError, Mountable, Mounted, Registry};
pub use routing::{Pattern, Route, Router};
pub use signal::Signal;
pub use skill::{NoConfig, Skill};
#[doc(inline)]
pub use skill_agent_schema::{
    MAX_ARGUMENT_BYTES, MAX_DEPTH, Problem, ReadError, StateError, WriteError,
};
pub use spec::{ActionSpec, AgentSpec, Hints, SkillSpec};
pub use tool::{Tool, ToolBuf};

// rustc shows the shortest path of these items in errors
#[doc(hidden)]
pub use agent::{BaseWithoutHooks, NoActions, SlotAt, SlotRunsWith, SlotsRunWith};
#[doc(hidden)]
pub use arguments::{ArgumentAt, limit_length, limit_pattern, limit_range};
#[doc(hidden)]
pub use async_action::{KindRunsWith, RunWith, report_resources};
#[doc(hidden)]
pub use skill::report_toolset;

pub(crate) use bounds::{ActionOf, SkillOf};
pub(crate) use command::error::CallFailure;
pub(crate) use directive::Origin;
pub(crate) use spec::{SchemaFn, Schemas};

#[cfg(feature = "macros")]
pub use skill_macros::{Resources, Skill, SkillConfig, action, agent};

pub use schemars;
pub use serde;
pub use serde_json;
