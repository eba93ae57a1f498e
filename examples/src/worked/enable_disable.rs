//! *Jido 2.0 Skills Specification*, section 6.3: an agent that enables and disables skills by signals.
//!
//! The document has one clause of `handle_signal` for each signal, which takes the name of the skill out of its data. Here each is an
//! internal action with a route: the data of the signal is its arguments. An error of the mount is the answer to the signal.

use crate::mountable::{Arithmetic, Counter};
use serde_json::json;
use skill_agent::prelude::*;

agent! {
    /// Starts without skills.
    #[derive(Debug, PartialEq)]
    pub struct Operator {
        name: "operator",
        actions: [EnableSkill, DisableSkill],
        mounted: [Arithmetic, Counter],
    }
}

/// Mount a skill with its default options.
#[action(internal, on("enable_skill"))]
pub fn enable_skill(_: &OperatorBase, cx: &mut Context<OperatorBase>, skill: String) {
    cx.mount(skill, &json!({}));
}

/// Unmount a skill.
#[action(internal, on("disable_skill"))]
pub fn disable_skill(_: &OperatorBase, cx: &mut Context<OperatorBase>, skill: String) {
    cx.unmount(skill);
}
