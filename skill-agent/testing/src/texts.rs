//! An assertion about the texts of an agent.

use skill_agent_documents::__private::misspelled_tools_of;
use skill_core::Agent;
use std::fmt::Write;

/// Asserts that the texts of an agent name tools that exist: no word in backticks in its documents and in the instructions of its
/// skills looks like a misspelled name of a tool. Names of skills, documents and arguments are right, too.
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
/// If there is such a word, with all of them and the names that were meant.
#[track_caller]
pub fn assert_texts<G: Agent>() {
    let mut lines = String::new();
    for found in misspelled_tools_of::<G>() {
        // writing into a string does not fail
        let _ = write!(lines, "\n{found}");
    }
    assert!(
        lines.is_empty(),
        "texts of `{}` name tools that do not exist:{lines}",
        G::SPEC.name
    );
}
