//! Skills for LLM agents in Rust, put together at compile time.
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
        Instruction, NoConfig, Outcome, PureAction, RunError, Signal, Skill, StateError, action,
        agent,
    };
}
