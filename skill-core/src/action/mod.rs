//! The trait [`Action`], and the code that runs an action from JSON.

mod change;
mod entry;
mod erased;
mod kind;
mod when;

pub(crate) use change::{Undo, change};
pub use entry::{ActionEntry, ActionOf, Input};
pub(crate) use entry::{REPLACED, Request};
pub use erased::ErasedAction;
pub(crate) use kind::sealed;
pub use kind::{Kind, NotPerformed, Pure};
pub use when::{ConditionResult, When};

use crate::bounds::{ActionError, Answer};
use crate::{ActionSpec, Context, Hints, Instruction, Schemas, Skill};
use skill_agent_schema::WriteError;

/// A typed command of a skill: the struct's fields are the arguments.
///
/// `#[action]` implements the trait from a function. Without the macro, derive the serde and schemars traits for the struct,
/// implement this trait and [`PureAction`], and list the action twice in the skill:
///
/// ```
/// # #[cfg(feature = "macros")] {
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use skill_core::{
///     Action, ActionEntry, ActionSpec, Agent, Context, NoConfig, Pure, PureAction, Skill, SkillSpec, agent, spec::Schemas,
/// };
/// use std::convert::Infallible;
///
/// #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
/// #[serde(default)]
/// pub struct Counter {
///     count: u32,
/// }
///
/// impl Skill for Counter {
///     type Config = NoConfig;
///     const SPEC: SkillSpec = SkillSpec::new("counter").actions(&[Increment::SPEC]);
///     const ACTIONS: &'static [ActionEntry<Self>] = &[ActionEntry::of::<Increment>()];
/// }
///
/// #[derive(Serialize, Deserialize, JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// pub struct Increment {
///     by: u32,
/// }
///
/// impl Action for Increment {
///     type Skill = Counter;
///     type Output = u32;
///     type Error = Infallible;
///     type Kind = Pure;
///     const SPEC: ActionSpec = ActionSpec::of::<Self>("increment", "Add to the counter.");
///     fn schemas() -> &'static Schemas {
///         static SCHEMAS: Schemas = Schemas::of::<Increment>();
///         &SCHEMAS
///     }
/// }
///
/// impl PureAction for Increment {
///     fn run(self, counter: &mut Counter, _: &mut Context<Counter>) -> Result<u32, Infallible> {
///         counter.count += self.by;
///         Ok(counter.count)
///     }
/// }
///
/// agent! {
///     pub struct Clerk {
///         name: "clerk",
///         skills: [Counter],
///     }
/// }
/// assert_eq!(Clerk::new().call_json("increment", r#"{"by":2}"#).unwrap().output, "2");
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an action",
    label = "`{Self}` does not implement `Action`",
    note = "put `#[action]` on the function that does it: the action is the struct that the macro makes of it",
    note = "to call an action by its name, write `call_json(name, arguments)`, with its arguments as JSON text"
)]
pub trait Action: Sized + 'static {
    /// The skill whose state the action reads or changes.
    type Skill: Skill;
    /// The value returned on success.
    type Output: Answer;
    /// The action's error; [`Infallible`](std::convert::Infallible) if the action cannot fail.
    type Error: ActionError;
    /// How the action runs: [`Pure`], at once on the state, or [`Async`](crate::Async), in a server while other commands
    /// continue.
    type Kind: Kind<Self>;

    /// The metadata of the action.
    const SPEC: ActionSpec;

    /// The name of the action's tool.
    const NAME: &'static str = Self::SPEC.name;

    /// Whether the action can change the state: false if the function takes `&S`. The state is saved only before actions that can
    /// change it.
    const CHANGES: bool = true;

    /// Whether the action can fail. The state is saved only before actions that can fail.
    const FALLIBLE: bool = true;

    /// Whether every output can be written as JSON: it contains no floats, no maps with keys other than strings and no
    /// user-defined serialization. If so, serialization cannot fail, so the state is not saved for that case, and the JSON text
    /// is not searched for the placeholders of non-finite floats.
    const JSON_SAFE: bool = false;

    /// The condition that a call by name must meet.
    #[doc(hidden)]
    const __WHEN: Option<When<Self::Skill>> = None;

    /// Returns the schemas of the arguments and the output, generated once per process.
    fn schemas() -> &'static Schemas;
}

/// An action that runs at once. The output depends only on state, configuration and arguments, and the only effects are the
/// queued directives.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a pure action",
    label = "not an action that can run at once",
    note = "a pure action is the struct that `#[action]` makes of a function, with its arguments: `Add {{ a: 1.0, b: 2.0 }}`; one written by hand needs `impl PureAction for {Self}`; an async one runs in a server, by `server.call(...)`"
)]
pub trait PureAction: Action {
    /// Whether the action uses its context. If not, the action gets an empty context and queues nothing.
    const TAKES_CONTEXT: bool = true;

    /// Runs the action.
    ///
    /// # Errors
    /// Returns the action's own error; the caller then restores the state.
    fn run(
        self,
        skill: &mut Self::Skill,
        cx: &mut Context<Self::Skill>,
    ) -> Result<Self::Output, Self::Error>;
}

impl ActionSpec {
    /// Creates the spec of the action `A`.
    ///
    /// # Panics
    /// Panics if `name` is not a tool name or `description` is empty. In a `const`, where specs live, that is a compile error.
    #[track_caller]
    pub const fn of<A: Action>(name: &'static str, description: &'static str) -> Self {
        assert!(
            skill_agent_grammar::is_tool_name(name),
            "an action name has 1 to 64 letters, digits, `_` or `-`"
        );
        Self {
            name,
            title: None,
            description: "",
            type_path: name,
            hints: Hints::NONE,
            internal: false,
            is_async: <A::Kind as Kind<A>>::IS_ASYNC,
            conditional: A::__WHEN.is_some(),
            routes: &[],
            changes: A::CHANGES,
            arguments: None,
            aliases: &[],
            input: || A::schemas().input(),
            output: || A::schemas().output(),
        }
        .description(description)
    }
}

impl Schemas {
    /// Creates an empty cell for the schemas of the action `A`.
    pub const fn of<A: Action>() -> Self {
        Self::new(A::Kind::schema, <A::Output as Answer>::__schema)
    }
}

impl Instruction {
    /// Converts a typed action to an instruction.
    ///
    /// # Errors
    /// Fails with the argument's path if an argument cannot be written as JSON (NaN, infinity).
    pub fn of<A: Action>(action: &A) -> Result<Self, WriteError> {
        Ok(Self::new(A::NAME, <A::Kind as Kind<A>>::to_value(action)?))
    }
}
