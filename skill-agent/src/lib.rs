//! Skills for LLM agents in Rust, put together at compile time.
//!
//! `use skill_agent::prelude::*;` brings what a program names: the derive [`Skill`](derive@Skill), the attribute
//! [`action`](macro@action), the macro [`agent!`], and the traits and types they work with. Everything here is the pure layer
//! of [`skill_core`], under one name; a library of skills depends on that crate alone.
#![cfg_attr(doctest, doc = include_str!("../../README.md"))]
#![forbid(unsafe_code)]

pub use skill_core as core;

// The pure layer under this crate's name. The three macros below hide those of the glob: theirs begin generated code with
// `::skill_core`, which a user of this crate need not have.
pub use skill_core::*;
#[doc(inline)]
pub use skill_macros::{__AgentSkill as Skill, __agent_action as action, __agent_agent as agent};

/// Everything a program that writes or runs agents names: `use skill_agent::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Action, Agent, CallError, Context, Directive, Handled, HasSkill, HookError, Hooks,
        Instruction, NoConfig, Outcome, PureAction, RunError, Signal, Skill, Start, StateError,
        action, agent,
    };
}
