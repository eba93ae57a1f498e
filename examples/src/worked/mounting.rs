//! *Jido 2.0 Skills Specification*, sections 6.2, 10.3 and 12.3: agents that mount skills when they start.
//!
//! In the document `handle_signal` mounts for the signal `init`, and passes `calculate` on to the skill. Here `init` is an internal
//! action with a route, and a signal without a route goes to the mounted skills by itself. `mount` gives its effects to the
//! server: the agent has the tools of the skill once the signal is answered.

use crate::mountable::{Arithmetic, Auth, AuthenticatedSearch, HttpClient};
use serde_json::json;
use skill_agent::prelude::*;

agent! {
    /// Section 10.3: calculates by a skill that it mounts.
    #[derive(Debug, PartialEq)]
    pub struct CalculatorAgent {
        name: "calculator",
        actions: [Init],
        mounted: [Arithmetic],
    }
}

/// Mount Arithmetic on init.
#[action(internal, on("init"))]
pub fn init(_: &CalculatorAgentBase, cx: &mut Context<CalculatorAgentBase>) {
    cx.mount("arithmetic", &json!({}));
}

agent! {
    /// Sections 12.2 and 12.3: mounts a skill with those that it requires.
    #[derive(Debug, PartialEq)]
    pub struct Researcher {
        name: "researcher",
        actions: [InitAll, InitSearch],
        mounted: [AuthenticatedSearch, Auth, HttpClient],
    }
}

/// Mount several skills in the order of their requirements, all or none.
#[action(internal, on("init"))]
pub fn init_all(_: &ResearcherBase, cx: &mut Context<ResearcherBase>) {
    cx.mount_all(["authenticated_search", "auth", "http_client"], &json!({}));
}

/// Mount the search alone, which fails unless the skills that it requires are mounted.
#[action(internal, on("init_search"))]
pub fn init_search(_: &ResearcherBase, cx: &mut Context<ResearcherBase>) {
    cx.mount("authenticated_search", &json!({}));
}
