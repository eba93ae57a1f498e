//! An assertion about an agent's texts.

use skill_agent_documents::__private::misspelled_tools_of;
use skill_core::Agent;
use std::fmt::Write;

/// Asserts that an agent's texts name only tools that exist. No word in backticks in its documents or in its skills' instructions
/// may look like a misspelled tool name. Names of skills, documents and arguments are accepted too.
///
/// A reference such as `{Record}` in `instructions = "…"` needs no test, because rustc checks it.
///
/// ```
/// use skill_agent::prelude::*;
/// use skill_agent::testing::assert_texts;
///
/// agent! {
///     pub struct Idle {
///         name: "idle",
///         skills: [],
///     }
/// }
///
/// assert_texts::<Idle>();
/// ```
///
/// # Panics
///
/// Panics if there is such a word. The message lists all of them and the probably intended names.
#[track_caller]
pub fn assert_texts<G: Agent>() {
    let mut lines = String::new();
    for found in misspelled_tools_of::<G>() {
        // writing into a string cannot fail
        let _ = write!(lines, "\n{found}");
    }
    assert!(
        lines.is_empty(),
        "texts of `{}` name tools that do not exist:{lines}",
        G::SPEC.name
    );
}
