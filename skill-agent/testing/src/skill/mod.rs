//! An assertion about a skill by itself, for the tests of a skill library.

mod arguments;
mod names;
mod values;

use skill_agent_schema::prefixed;
use skill_core::process::catch;
use skill_core::{Problem, Skill};
use std::fmt::{Display, Write};

/// Asserts that a skill is fit to be listed by agents of other crates:
///
/// - names, state key, version, patterns and requirements follow their grammar, texts are not empty, and descriptions have at most
///   1,024 characters;
/// - no two of its actions have one tool name or one route;
/// - the schemas of its state, its configuration and its actions can be made, and describe objects;
/// - the default configuration and the initial state have the form and keep the constraints of their schemas;
/// - both are the same after they were written and read, as JSON and in the format of a store;
/// - every action accepts the defaults and the examples of its arguments.
///
/// Most of it cannot be wrong in a skill that the macros wrote. A value of a type that reads something else than it writes, an example
/// of a type with a format of its own, and a spec that was written by hand can.
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
/// If one of them does not hold, with all problems and their paths, such as `state.lines` or `actions.add_note.arguments.text`.
#[track_caller]
pub fn assert_skill<S: Skill>() {
    let mut problems = Problems::default();
    names::check::<S>(&mut problems);
    values::check::<S>(&mut problems);
    arguments::check::<S>(&mut problems);
    let mut text = String::new();
    for problem in &problems.0 {
        // writing into a string does not fail
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

    /// Adds a problem of a part at `path`, with the path within that part.
    fn add_below(&mut self, path: &str, mut problem: Problem) {
        problem.path = prefixed(path, &problem.path);
        self.0.push(problem);
    }

    /// Runs code of the skill. If it panics, that is a problem at `path`.
    fn run<T>(&mut self, path: &str, work: &str, code: impl FnOnce() -> T) -> Option<T> {
        let result = catch(code);
        result
            .map_err(|panic| self.add(path, format_args!("{work} panicked: {panic}")))
            .ok()
    }
}
