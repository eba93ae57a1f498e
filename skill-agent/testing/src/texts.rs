//! An assertion about the texts of an agent.

use skill_agent_documents::__private::misspelled_tools_of;
use skill_core::Agent;
use std::fmt::Write;

/// Asserts that an agent's texts mention only tools that exist. Its documents and its skills' instructions must not contain a
/// word in backticks that looks like a misspelled tool name. The names of skills, documents and arguments are accepted too.
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
/// Panics if there is such a word. The message lists all such words and the names that were probably meant.
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
