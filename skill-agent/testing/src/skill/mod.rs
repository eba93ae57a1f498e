//! An assertion about a single skill, for the tests of a skill crate.

mod arguments;
mod names;
mod values;

use skill_agent_schema::prefixed;
use skill_core::process::catch;
use skill_core::{Problem, Skill};
use std::fmt::{Display, Write};

/// Asserts that agents of other crates can list a skill:
///
/// - names, state key, version, patterns and requirements follow their grammar, texts are not empty, and descriptions have at
///   most 1,024 characters;
/// - no two actions share a tool name or a route;
/// - the schemas of the state, the configuration and the actions can be generated, and describe objects;
/// - the default configuration and the initial state match their schemas, including the constraints;
/// - both are unchanged after being written and read, as JSON and in the store's format;
/// - every action accepts the defaults and examples of its arguments.
///
/// Most of this cannot fail for a skill that the macros generated. It can fail for a type that is read in a different form than
/// it is written, for an example of a type with its own format, and for a hand-written spec.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use skill_agent::prelude::*;
/// use skill_agent::testing::assert_skill;
///
/// /// Notes of one person.
/// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// #[serde(default)]
/// #[skill(name = "notes", version, actions(AddNote))]
/// pub struct Notes {
///     lines: Vec<String>,
/// }
///
/// /// Keep a note.
/// #[action]
/// pub fn add_note(notes: &mut Notes, #[arg(length(1..=80), example = "milk")] text: String) {
///     notes.lines.push(text);
/// }
///
/// assert_skill::<Notes>();
/// ```
///
/// # Panics
/// Panics if any of these does not hold. The message lists all problems with their paths, such as `state.lines` or
/// `actions.add_note.arguments.text`.
#[track_caller]
pub fn assert_skill<S: Skill>() {
    let mut problems = Problems::default();
    names::check::<S>(&mut problems);
    values::check::<S>(&mut problems);
    arguments::check::<S>(&mut problems);
    let mut text = String::new();
    for problem in &problems.0 {
        // writing into a string cannot fail
        let _ = write!(text, "\n  {problem}");
    }
    let name = S::SPEC.name;
    assert!(text.is_empty(), "the skill `{name}` has problems:{text}");
}

/// The problems of a skill.
#[derive(Default)]
struct Problems(Vec<Problem>);

impl Problems {
    fn add(&mut self, path: impl Into<String>, message: impl Display) {
        self.0.push(Problem::new(path, message.to_string()));
    }

    /// Adds a problem in the part at `path`, to which the path of `problem` is relative.
    fn add_below(&mut self, path: &str, mut problem: Problem) {
        problem.path = prefixed(path, &problem.path);
        self.0.push(problem);
    }

    /// Runs code of the skill, and adds a problem at `path` if it panics.
    fn run<T>(&mut self, path: &str, work: &str, code: impl FnOnce() -> T) -> Option<T> {
        let result = catch(code);
        result
            .map_err(|panic| self.add(path, format_args!("{work} panicked: {panic}")))
            .ok()
    }
}
