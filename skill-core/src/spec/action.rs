//! [`ActionSpec`]: the description of an action.

use super::{Hints, SchemaFn};
use crate::Route;

/// The description of an action, from which its tool is made.
///
/// Made by `#[action]`, or by hand with [`ActionSpec::of`] and the builder methods, all of them `const`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ActionSpec {
    /// The name for models: `[a-zA-Z0-9_-]{1,64}`. In the lists of an agent, the actions of an instance under an
    /// alias have its name as a prefix (`calc_add`).
    pub name: &'static str,
    /// A name for people.
    pub title: Option<&'static str>,
    /// The description, for the model that chooses an action.
    pub description: &'static str,
    /// The path of its Rust type.
    pub type_path: &'static str,
    /// Hints about the behavior of the action, for callers.
    pub hints: Hints,
    /// Whether only code, routes and other actions may call it, not models.
    pub internal: bool,
    /// Whether it is async: it runs in a server only, and changes the state only by actions that it queues.
    pub is_async: bool,
    /// The signals that run it.
    pub routes: &'static [Route],
    /// Whether it can change the state.
    pub(crate) changes: bool,
    /// The names of its arguments; `None` if it is written by hand.
    pub(crate) arguments: Option<&'static [&'static str]>,
    pub(crate) input: SchemaFn,
    pub(crate) output: SchemaFn,
}

impl ActionSpec {
    /// A spec with a name and nothing else, for entries of a table that are not known yet and for actions with mistakes.
    pub(crate) const fn nothing(name: &'static str) -> Self {
        Self {
            name,
            title: None,
            description: "",
            type_path: name,
            hints: Hints::NONE,
            internal: false,
            is_async: false,
            routes: &[],
            changes: false,
            arguments: None,
            input: || &serde_json::Value::Null,
            output: || &serde_json::Value::Null,
        }
    }

    /// Whether it replaces an action with mistakes: every other one has a description.
    #[doc(hidden)]
    pub const fn __is_stub(&self) -> bool {
        self.description.is_empty()
    }

    /// Sets the name for people.
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// Sets the description.
    ///
    /// # Panics
    /// If it is empty; in a `const`, where specs live, that is a compile error.
    #[must_use]
    #[track_caller]
    pub const fn description(mut self, text: &'static str) -> Self {
        assert!(
            !text.is_empty(),
            "an action needs a description: a model picks by it"
        );
        self.description = text;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn __arguments(mut self, names: &'static [&'static str]) -> Self {
        self.arguments = Some(names);
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn __input(mut self, schema: SchemaFn) -> Self {
        self.input = schema;
        self
    }

    /// Sets the path of the Rust type, as messages show it.
    #[must_use]
    pub const fn type_path(mut self, path: &'static str) -> Self {
        self.type_path = path;
        self
    }

    /// Sets the hints for callers.
    #[must_use]
    pub const fn hints(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// Hides it from models.
    #[must_use]
    pub const fn internal(mut self) -> Self {
        self.internal = true;
        self
    }

    /// Sets the signals that run it.
    #[must_use]
    pub const fn routes(mut self, routes: &'static [Route]) -> Self {
        self.routes = routes;
        self
    }

    /// The schema of its arguments, made once per process.
    pub fn input_schema(&self) -> &'static serde_json::Value {
        (self.input)()
    }

    /// The schema of its output, made once per process.
    pub fn output_schema(&self) -> &'static serde_json::Value {
        (self.output)()
    }
}
