//! [`ActionSpec`]: the description of an action.

use super::{Hints, SchemaFn};
use crate::Route;

/// The description of an action. Its tool is derived from it.
///
/// `#[action]` creates the spec. To create one by hand, use [`ActionSpec::of`] and the builder methods, which are all `const`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ActionSpec {
    /// The name for models: `[a-zA-Z0-9_-]{1,64}`. In an agent, the actions of an aliased instance have the alias as a prefix
    /// (`calc_add`).
    pub name: &'static str,
    /// The name for people.
    pub title: Option<&'static str>,
    /// Tells a model when to choose the action.
    pub description: &'static str,
    /// The path of the Rust type.
    pub type_path: &'static str,
    /// Hints for callers about the action's behavior.
    pub hints: Hints,
    /// Whether only code, routes and other actions may call the action, not models.
    pub internal: bool,
    /// Whether the action is async: an async action runs only in a server, and changes state only through actions that it queues.
    pub is_async: bool,
    /// Whether the action has a condition, which can refuse a call by name.
    pub conditional: bool,
    /// The signals that run the action.
    pub routes: &'static [Route],
    /// Whether the action can change the state.
    pub(crate) changes: bool,
    /// The names of the arguments, or `None` if the action is hand-written.
    pub(crate) arguments: Option<&'static [&'static str]>,
    /// The other names under which `#[serde(alias)]` reads arguments.
    pub(crate) aliases: &'static [&'static str],
    pub(crate) input: SchemaFn,
    pub(crate) output: SchemaFn,
}

impl ActionSpec {
    /// Creates a spec with only a name, as a placeholder in tables and for actions with mistakes.
    pub(crate) const fn nothing(name: &'static str) -> Self {
        Self {
            name,
            title: None,
            description: "",
            type_path: name,
            hints: Hints::NONE,
            internal: false,
            is_async: false,
            conditional: false,
            routes: &[],
            changes: false,
            arguments: None,
            aliases: &[],
            input: || &serde_json::Value::Null,
            output: || &serde_json::Value::Null,
        }
    }

    /// Returns whether the spec is a placeholder for an action with mistakes. Every other action has a description.
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

    /// Sets the description, which tells a model when to choose the action.
    ///
    /// # Panics
    /// Panics if the description is empty. In a `const`, where specs live, that is a compile error.
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

    crate::setters! {
        #[doc(hidden)]
        pub const fn __arguments(names: &'static [&'static str]) { arguments = Some(names) }

        #[doc(hidden)]
        pub const fn __aliases(names: &'static [&'static str]) { aliases = names }

        #[doc(hidden)]
        pub const fn __input(schema: SchemaFn) { input = schema }

        /// Sets the path of the Rust type, as shown in messages.
        pub const fn type_path(path: &'static str) { type_path = path }

        /// Sets the hints for callers.
        pub const fn hints(hints: Hints) { hints = hints }
    }

    /// Hides the action from models.
    #[must_use]
    pub const fn internal(mut self) -> Self {
        self.internal = true;
        self
    }

    /// Sets the signals that run the action.
    #[must_use]
    pub const fn routes(mut self, routes: &'static [Route]) -> Self {
        self.routes = routes;
        self
    }

    /// Returns the schema of the arguments, generated once per process.
    pub fn input_schema(&self) -> &'static serde_json::Value {
        (self.input)()
    }

    /// Returns the schema of the output, generated once per process.
    pub fn output_schema(&self) -> &'static serde_json::Value {
        (self.output)()
    }
}
