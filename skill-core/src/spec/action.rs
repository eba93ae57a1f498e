//! What an action says of itself.

use super::SchemaFn;
use crate::Route;

/// The description of an action: what introspection shows and what its tool is made of.
///
/// Made by `#[action]`, or by hand with [`ActionSpec::of`] and the builder methods, all of them `const`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ActionSpec {
    /// The name a model calls it by: `[a-zA-Z0-9_-]{1,64}`. In the lists of an agent it carries the prefix of an
    /// instance that is mounted under another name (`calc_add`).
    pub name: &'static str,
    /// A name for people.
    pub title: Option<&'static str>,
    /// What it does, for the model that picks it.
    pub description: &'static str,
    /// The path of its Rust type.
    pub type_path: &'static str,
    /// What a caller may assume of it.
    pub hints: Hints,
    /// Whether only code, routes and other actions may call it.
    pub internal: bool,
    /// Whether it is async: it runs in a server only, and may change the state by what it queues.
    pub is_async: bool,
    /// The signals that run it.
    pub routes: &'static [Route],
    /// Whether it can change the state.
    pub(crate) changes: bool,
    pub(crate) input: SchemaFn,
    pub(crate) output: SchemaFn,
}

impl ActionSpec {
    /// A name and nothing else: fills a table before its entries are known, and stands in for an action with mistakes.
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
            input: || &serde_json::Value::Null,
            output: || &serde_json::Value::Null,
        }
    }

    /// Whether it stands in for an action with mistakes: every other one has a description.
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

    /// Sets the path of the Rust type, as messages show it.
    #[must_use]
    pub const fn type_path(mut self, path: &'static str) -> Self {
        self.type_path = path;
        self
    }

    /// Sets what a caller may assume.
    #[must_use]
    pub const fn hints(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// Keeps it away from models.
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

    /// The schema of its answer, made once per process.
    pub fn output_schema(&self) -> &'static serde_json::Value {
        (self.output)()
    }
}

/// What a caller may assume of an action, in the words of MCP's tool annotations.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(default)]
#[non_exhaustive]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// It may destroy what cannot be brought back.
    pub destructive: bool,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// It reaches beyond the agent: a network, a device, a person.
    pub open_world: bool,
}

impl Hints {
    /// Nothing may be assumed.
    pub const NONE: Self = Self {
        read_only: false,
        destructive: false,
        idempotent: false,
        open_world: false,
    };

    /// Says that it changes nothing.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Says that it may destroy.
    #[must_use]
    pub const fn destructive(mut self) -> Self {
        self.destructive = true;
        self
    }

    /// Says that repeating it is harmless.
    #[must_use]
    pub const fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// Says that it reaches the world.
    #[must_use]
    pub const fn open_world(mut self) -> Self {
        self.open_world = true;
        self
    }
}
