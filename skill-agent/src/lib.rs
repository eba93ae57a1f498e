//! Composes the tools and the state of LLM agents at compile time.
//!
//! Put `#[derive(Skill)]` on a struct and `#[action]` on functions, then list the skills in `agent!`. You get typed calls, JSON
//! tool calls with schemas for a model, and one serializable state. Clashes of names, state keys, tools and routes are compile
//! errors, even across crates.
//!
//! A *skill* is a Rust type. A SKILL.md file in the format of [Agent Skills](https://agentskills.io) is a *document*; see
//! [`manifest`]. The agent executes a model's tool calls. The conversation around them is up to you, or use the feature `chat`.
//!
//! ```
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//! use skill_agent::prelude::*;
//!
//! /// Basic arithmetic.
//! #[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
//! #[serde(default)]
//! #[skill(name = "calculator", actions(Add))]
//! pub struct Calculator {
//!     #[skill(default = 0.0)]
//!     pub last_result: f64,
//! }
//!
//! /// Add two numbers.
//! #[action]
//! pub fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
//!     calculator.last_result = a + b;
//!     calculator.last_result
//! }
//!
//! agent! {
//!     pub struct MathAgent {
//!         name: "math_agent",
//!         skills: [Calculator],
//!     }
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut agent = MathAgent::new();
//!     assert_eq!(agent.cmd(Add { a: 1.5, b: 2.5 })?.output, 4.0); // typed
//!     assert_eq!(agent.call_json("add", r#"{"a":40,"b":2}"#)?.output, "42.0"); // by name, as a model calls it
//!     assert_eq!(agent.state().calculator.last_result, 42.0);
//!     Ok(())
//! }
//! ```
//!
//! # What a program uses
//!
//! `use skill_agent::prelude::*;` imports the items that most programs need.
//!
//! | task | items |
//! | --- | --- |
//! | write a skill | [`#[derive(Skill)]`](derive@Skill), [`#[action]`](macro@action), [`Context`], [`Hooks`] |
//! | compose an agent | [`agent!`], [`Agent`] |
//! | run actions | [`Agent::cmd`], [`Agent::call_json`], [`Agent::run`], [`Outcome`], [`Instruction`], [`CallError`] |
//! | show tools to a model, and read its calls | [`models`], [`Agent::tools`], [`Tool`] |
//! | save and load the state | [`Agent::state_json`], [`Agent::from_state_json`], [`Agent::replace_state_json`], [`StateError`] |
//! | describe effects | [`Directive`], [`Signal`], [`Pattern`] |
//! | mount skills at run time | [`Mounted`], [`Registry`] |
//! | offer all tools to one model or client | [`toolbox::Toolbox`], [`toolbox::ToolSession`], [`toolbox::ToolSource`] |
//! | serve an agent for each id | `agents::Agents`, with the feature `agents` |
//! | serve an agent | [`AgentServer`], [`Provide`], [`ChildSpec`], [`server::Guard`], [`store`] |
//! | let a model use a served agent | [`toolbox`], and `chat` with the feature of that name |
//! | check what a new version breaks | `contract::Contract`, `testing::assert_contract` |
//! | talk to MCP clients and servers | `mcp`, with the feature of that name |
//! | work with documents | [`include_skill!`], [`manifest::Catalog`], [`manifest::SkillDoc`] |
//!
//! # Features and crates
//!
//! `server`, `manifest` and `ordered-json` are enabled by default. `server` needs tokio and contains [`AgentServer`],
//! [`children`], [`clock`], [`store`] and [`toolbox`]. `manifest` contains [`manifest`] and the macros that embed documents.
//! `ordered-json` keeps the fields of JSON objects and schemas in order, and makes floats round-trip exactly; without it, keys
//! are sorted alphabetically. `agents`, `chat`, `conversations`, `cron`, `http`, `mcp`, `mcp-auth`, `redb`, `watch`, `contract` and
//! `testing` are opt-in. `http` adds chat models for the APIs of OpenAI and Anthropic.
//!
//! A library of skills needs only [`skill_core`], which this crate re-exports completely.
#![cfg_attr(all(doctest, feature = "chat"), doc = include_str!("../../README.md"))]
#![cfg_attr(doctest, doc = include_str!("../../docs/skills.md"))]
#![cfg_attr(doctest, doc = include_str!("../../docs/agents.md"))]
#![cfg_attr(all(doctest, feature = "server"), doc = include_str!("../../docs/server.md"))]
#![cfg_attr(all(doctest, feature = "agents"), doc = include_str!("../../docs/many-agents.md"))]
#![cfg_attr(all(doctest, feature = "server"), doc = include_str!("../../docs/effects.md"))]
#![cfg_attr(all(doctest, feature = "testing"), doc = include_str!("../../docs/schedules.md"))]
#![cfg_attr(all(doctest, feature = "server"), doc = include_str!("../../docs/mounting.md"))]
#![cfg_attr(all(doctest, feature = "server"), doc = include_str!("../../docs/guarding.md"))]
#![cfg_attr(all(doctest, feature = "server"), doc = include_str!("../../docs/storage.md"))]
#![cfg_attr(all(doctest, feature = "server", feature = "manifest"), doc = include_str!("../../docs/toolbox.md"))]
#![cfg_attr(all(doctest, feature = "mcp"), doc = include_str!("../../docs/mcp.md"))]
#![cfg_attr(all(doctest, feature = "mcp"), doc = include_str!("../../docs/mcp-http.md"))]
#![cfg_attr(all(doctest, feature = "mcp"), doc = include_str!("../../docs/mcp-client.md"))]
#![cfg_attr(all(doctest, feature = "mcp-auth"), doc = include_str!("../../docs/mcp-auth.md"))]
#![cfg_attr(doctest, doc = include_str!("../../docs/models.md"))]
#![cfg_attr(all(doctest, feature = "chat"), doc = include_str!("../../docs/chat.md"))]
#![cfg_attr(all(doctest, feature = "conversations"), doc = include_str!("../../docs/conversations.md"))]
#![cfg_attr(all(doctest, feature = "conversations"), doc = include_str!("../../docs/rewind.md"))]
#![cfg_attr(all(doctest, feature = "chat"), doc = include_str!("../../docs/histories.md"))]
#![cfg_attr(all(doctest, feature = "chat"), doc = include_str!("../../docs/deferred.md"))]
#![cfg_attr(all(doctest, feature = "chat"), doc = include_str!("../../docs/web-chat.md"))]
#![cfg_attr(all(doctest, feature = "chat"), doc = include_str!("../../docs/chat-failures.md"))]
#![cfg_attr(all(doctest, feature = "chat"), doc = include_str!("../../docs/providers.md"))]
#![cfg_attr(all(doctest, feature = "chat"), doc = include_str!("../../docs/agent-files.md"))]
#![cfg_attr(all(doctest, feature = "chat"), doc = include_str!("../../docs/fallback.md"))]
#![cfg_attr(all(doctest, feature = "chat"), doc = include_str!("../../docs/chat-tools.md"))]
#![cfg_attr(all(doctest, feature = "chat"), doc = include_str!("../../docs/layers.md"))]
#![cfg_attr(all(doctest, feature = "redb"), doc = include_str!("../../docs/redb.md"))]
#![cfg_attr(all(doctest, feature = "manifest"), doc = include_str!("../../docs/documents.md"))]
#![cfg_attr(all(doctest, feature = "manifest"), doc = include_str!("../../docs/catalogs.md"))]
#![cfg_attr(all(doctest, feature = "manifest"), doc = include_str!("../../docs/document-tools.md"))]
#![cfg_attr(all(doctest, feature = "manifest"), doc = include_str!("../../docs/selection.md"))]
#![cfg_attr(all(doctest, feature = "testing"), doc = include_str!("../../docs/contract.md"))]
#![cfg_attr(all(doctest, feature = "testing"), doc = include_str!("../../docs/publishing.md"))]
#![forbid(unsafe_code)]

// these are modules with glob imports, because with `pub use skill_agent_store as store`, rustc would print an item as
// `skill_agent::skill_agent_store::Store`
#[cfg(feature = "agents")]
/// An agent for each id, awake while it works. For the documentation, see the crate [`skill_agent_agents`].
pub mod agents {
    #[doc(inline)]
    pub use skill_agent_agents::*;
}
#[cfg(feature = "chat")]
/// Conversations with a model that uses tools, and models over HTTP. For the documentation, see the crate [`skill_agent_chat`].
pub mod chat {
    #[doc(inline)]
    pub use skill_agent_chat::*;
    #[cfg(feature = "conversations")]
    #[doc(inline)]
    pub use skill_agent_conversations::*;
    #[cfg(feature = "http")]
    #[doc(inline)]
    pub use skill_agent_providers::*;
}
#[cfg(feature = "contract")]
/// Contract files: an agent's promises to its callers, and the changes between two versions. For the documentation, see the crate
/// [`skill_agent_contract`].
pub mod contract {
    #[doc(inline)]
    pub use skill_agent_contract::*;
}
#[cfg(feature = "manifest")]
/// SKILL.md documents: embedded at compile time, found in folders, offered to a model, or run by a person. For the documentation,
/// see the crate [`skill_agent_documents`].
pub mod manifest {
    #[doc(inline)]
    pub use skill_agent_documents::*;
}
#[cfg(feature = "mcp")]
/// Agents as MCP servers, and MCP servers in a toolbox. For the documentation, see the crate [`skill_agent_mcp`].
pub mod mcp {
    #[doc(inline)]
    pub use skill_agent_mcp::*;
}
/// The JSON that model providers and protocols expect. For the documentation, see the crate [`skill_agent_models`].
pub mod models {
    #[doc(inline)]
    pub use skill_agent_models::*;
}
#[cfg(feature = "server")]
/// The server that owns an agent: calls, signals, guards and approvals. For the documentation, see the crate
/// [`skill_agent_server`].
pub mod server {
    #[doc(inline)]
    pub use skill_agent_server::*;
}
#[cfg(feature = "server")]
/// The durable log of a served agent. For the documentation, see the crate [`skill_agent_store`].
pub mod store {
    #[doc(inline)]
    pub use skill_agent_store::*;
}
#[cfg(feature = "testing")]
/// Assertions about skills and agents, and stores and clocks that a test controls. For the documentation, see the crate
/// [`skill_agent_testing`].
pub mod testing {
    #[doc(inline)]
    pub use skill_agent_testing::*;
}
#[cfg(feature = "server")]
/// All tools that one model or client may call. For the documentation, see the crate [`skill_agent_toolbox`].
pub mod toolbox {
    #[doc(inline)]
    pub use skill_agent_toolbox::*;
}
#[cfg(feature = "server")]
#[doc(inline)]
pub use skill_agent_server::{children, clock};

pub use skill_core as core;

#[cfg(feature = "server")]
pub use server::{
    AgentServer, Applied, ErasedServer, SendError, ServeError, SignalError, StartError, StopReason,
    Subscription,
};

// The macros of `skill_core` generate paths that start with `::skill_core`, but users of this crate may not depend on that crate.
// The explicit imports below replace them with macros whose paths start with `::skill_agent::core`.
pub use skill_core::*;
#[doc(inline)]
pub use skill_macros::{
    __AgentResources as Resources, __AgentSkill as Skill, __AgentSkillConfig as SkillConfig,
    __agent_action as action, __agent_agent as agent,
};
#[cfg(feature = "manifest")]
#[doc(inline)]
pub use skill_macros::{include_skill, include_skills};

#[cfg(not(feature = "manifest"))]
mod without_manifest {
    //! Replacements for the macros of the feature `manifest`. If the feature is off, they report that it is required.

    /// Requires the feature `manifest` of `skill-agent`.
    #[doc(hidden)]
    #[macro_export]
    macro_rules! include_skill {
        ($($tokens:tt)*) => {
            ::core::compile_error!(
                "`include_skill!` needs the feature `manifest` of `skill-agent`; add it to `features` in Cargo.toml"
            )
        };
    }

    /// Requires the feature `manifest` of `skill-agent`.
    #[doc(hidden)]
    #[macro_export]
    macro_rules! include_skills {
        ($($tokens:tt)*) => {
            ::core::compile_error!(
                "`include_skills!` needs the feature `manifest` of `skill-agent`; add it to `features` in Cargo.toml"
            )
        };
    }
}

/// The items that most programs need: `use skill_agent::prelude::*;`.
pub mod prelude {
    pub use crate::directive::{Missed, cron, every};
    #[cfg(feature = "manifest")]
    pub use crate::manifest::Documents;
    #[cfg(feature = "mcp")]
    pub use crate::mcp::McpToolbox;
    pub use crate::models::ToolsJson;
    pub use crate::{
        Action, Agent, CallError, Caller, ChildContext, ChildSpec, Context, Directive,
        ForeignCaller, Handled, HasSkill, HookError, Hooks, Instruction, MountError, Mounted,
        NoConfig, Outcome, Provide, PureAction, Resources, Signal, Skill, SkillConfig, Stamp,
        Start, Tool, action, agent,
    };
    #[cfg(feature = "server")]
    pub use crate::{AgentServer, ServeError, Subscription};
    pub use crate::{include_skill, include_skills};
}
