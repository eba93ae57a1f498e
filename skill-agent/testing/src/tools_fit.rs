//! An assertion about an agent's tools.

use std::fmt::Write;

use skill_agent_models::{Provider, ToolsJson};

/// Asserts that each of these providers can express every tool of an agent within its limits.
///
/// ```
/// use skill_agent::models::Provider;
/// use skill_agent::prelude::*;
/// use skill_agent::testing::assert_tools_fit;
///
/// agent! {
///     pub struct Idle {
///         name: "idle",
///         skills: [],
///     }
/// }
///
/// assert_tools_fit::<Idle>(Provider::ALL);
/// ```
///
/// # Panics
///
/// Panics if a tool does not fit, with a message that lists all reasons, for all providers.
#[track_caller]
pub fn assert_tools_fit<G: ToolsJson>(providers: &[Provider]) {
    let mut reasons = String::new();
    for provider in providers {
        if let Err(error) = G::tools_json(*provider) {
            // writing into a string cannot fail
            let _ = write!(reasons, "\n{provider:?}\n{error}\n");
        }
    }
    assert!(
        reasons.is_empty(),
        "the tools of `{}` do not fit:{reasons}",
        G::SPEC.name
    );
}
