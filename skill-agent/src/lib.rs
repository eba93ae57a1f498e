//! Skills for LLM agents in Rust, put together at compile time.
//!
//! `use skill_agent::prelude::*;` brings what a program names: the derive [`Skill`](derive@Skill), the attribute
//! [`action`](macro@action), the macro [`agent!`], and the traits and types they work with. All of the pure layer,
//! [`skill_core`], is here under one name; a library of skills depends on that crate alone.
//!
//! Beside it is the process layer, the feature `server` (on by default): `server` serves an agent, `children` run beside it,
//! `clock` gives it the time, and `store` keeps it.
#![cfg_attr(all(doctest, feature = "server"), doc = include_str!("../../README.md"))]
#![cfg_attr(all(doctest, feature = "server"), doc = include_str!("../../docs/server.md"))]
#![cfg_attr(all(doctest, feature = "manifest"), doc = include_str!("../../docs/documents.md"))]
#![forbid(unsafe_code)]

#[cfg(feature = "server")]
pub mod children;
#[cfg(feature = "server")]
pub mod clock;
#[cfg(feature = "manifest")]
pub mod manifest;
pub mod models;
#[cfg(feature = "server")]
mod panics;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "server")]
pub mod store;
#[cfg(any(feature = "testing", all(test, feature = "server")))]
pub mod testing;

pub use skill_core as core;

#[cfg(feature = "server")]
pub use server::{
    AgentServer, SendError, ServeError, SignalError, StartError, StopReason, Subscription,
};

// The pure layer under this crate's name. The macros below hide those of the glob: theirs begin generated code with
// `::skill_core`, which a user of this crate need not have.
pub use skill_core::*;
#[doc(inline)]
pub use skill_macros::{
    __AgentResources as Resources, __AgentSkill as Skill, __agent_action as action,
    __agent_agent as agent,
};
#[cfg(feature = "manifest")]
#[doc(inline)]
pub use skill_macros::{include_skill, include_skills};

/// Everything a program that writes or runs agents names: `use skill_agent::prelude::*;`.
pub mod prelude {
    #[cfg(feature = "manifest")]
    pub use crate::manifest::Documents;
    pub use crate::{
        Action, Agent, CallError, ChildContext, ChildSpec, Context, Directive, Handled, HasSkill,
        HookError, Hooks, Instruction, MountError, Mounted, NoConfig, Outcome, Pattern, Provide,
        PureAction, Resources, Restart, RunError, Shutdown, Signal, Skill, Start, StateError,
        action, agent,
    };
    #[cfg(feature = "server")]
    pub use crate::{
        AgentServer, SendError, ServeError, SignalError, StartError, StopReason, Subscription,
    };
    #[cfg(feature = "manifest")]
    pub use crate::{include_skill, include_skills};
}
