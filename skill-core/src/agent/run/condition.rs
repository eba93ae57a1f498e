//! Conditions of actions, on the agent's current state.

use crate::agent::run::resolve::{IS_MOUNTED, ResolvedAction, resolve};
use crate::panics::catch;
use crate::{Agent, CallError};
use std::borrow::Cow;

/// A tool that cannot be called now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedTool {
    /// The tool's name.
    pub tool: &'static str,
    /// The reason given by the action's condition, or the message of a panic.
    pub reason: Cow<'static, str>,
}

/// Checks the condition of an action that is called by name.
///
/// # Errors
/// Fails if the condition refuses the call.
#[inline]
pub fn check_condition<G: Agent>(agent: &G, action: ResolvedAction) -> Result<(), CallError> {
    if !action.spec.conditional {
        return Ok(());
    }
    check(agent, action).map_err(|reason| CallError::NotNow {
        action: action.spec.name,
        reason,
    })
}

fn check<G: Agent>(agent: &G, action: ResolvedAction) -> Result<(), Cow<'static, str>> {
    let (state, _) = agent.__parts();
    if action.is_mounted {
        let mounted = G::__mounted(state).expect(IS_MOUNTED);
        return mounted.check_condition(action.id);
    }
    let slot = &G::__slots()[action.id.skill as usize];
    (slot.skill.when)((slot.of)(state), action.id.action as usize)
}

/// Returns the tools whose conditions refuse a call in the current state.
pub fn refused_tools<G: Agent>(agent: &G) -> Vec<RefusedTool> {
    let tools = agent.all_tools().into_iter();
    let refused = tools.filter_map(|tool| {
        let action = resolve(agent, tool.name).ok()?;
        if !action.spec.conditional {
            return None;
        }
        let checked = catch(|| check(agent, action));
        let checked = checked
            .unwrap_or_else(|message| Err(format!("its condition panicked: {message}").into()));
        let reason = checked.err()?;
        Some(RefusedTool {
            tool: tool.name,
            reason,
        })
    });
    refused.collect()
}
