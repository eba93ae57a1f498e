//! The trait [`Action`], and running an action from JSON.

use crate::context::{AgentEnv, CommandMeta, InstanceInfo, QueuedEffects};
use crate::data::{ActionArguments, ActionError, Answer, ConfigOf};
use crate::json::{ReadError, WriteError};
use crate::{ActionSpec, CallFailure, Context, Hints, Instruction, Schemas, Skill};
use serde_json::Value;
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// A typed command of a skill: the struct holds the arguments.
///
/// `#[action]` implements it from a function. Without the macro, derive the traits of serde and schemars for the struct,
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
    note = "put `#[action]` on the function that does it: the action is the struct that the macro makes of it"
)]
pub trait Action: Sized + 'static {
    /// The skill whose state the action reads or changes.
    type Skill: Skill;
    /// The value that it returns on success.
    type Output: Answer;
    /// Its error; [`Infallible`](std::convert::Infallible) if it cannot fail.
    type Error: ActionError;
    /// How it runs: [`Pure`], at once on the state, or [`Async`](crate::Async), in a server while other commands go on.
    type Kind: Kind<Self>;

    /// The metadata of the action.
    const SPEC: ActionSpec;

    /// The name of its tool.
    const NAME: &'static str = Self::SPEC.name;

    /// Whether it can change the state: false if the function takes `&S`. The state is saved only before actions that can.
    const CHANGES: bool = true;

    /// Whether it can fail. The state is saved only before actions that can.
    const FALLIBLE: bool = true;

    /// Whether every value of the output can be written as JSON: it contains no floats, no maps with keys other than strings
    /// and no user-defined serialization. If so, the state need not be saved in case serialization fails, and the text is not
    /// searched for the placeholders of non-finite floats.
    const JSON_SAFE: bool = false;

    /// The schemas of its arguments and output, generated once per process.
    fn schemas() -> &'static Schemas;
}

/// An action that runs at once. The output depends only on state, configuration and arguments, and the only effects are the
/// directives that it queues.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a pure action",
    label = "not an action that can run at once",
    note = "a pure action is the struct that `#[action]` makes of a function, with its arguments: `Add {{ a: 1.0, b: 2.0 }}`; one written by hand needs `impl PureAction for {Self}`; an async one runs in a server, by `server.call(...)`"
)]
pub trait PureAction: Action {
    /// Whether it uses its context. If not, it gets an empty one and queues nothing.
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

/// How an action runs: [`Pure`] or [`Async`](crate::Async). Sealed.
pub trait Kind<A: Action>: sealed::Sealed {
    #[doc(hidden)]
    const IS_ASYNC: bool;
    #[doc(hidden)]
    const TAKES_CONTEXT: bool;
    #[doc(hidden)]
    fn read(input: Input<'_>) -> Result<A, ReadError>;
    #[doc(hidden)]
    fn to_value(action: &A) -> Result<Value, WriteError>;
    #[doc(hidden)]
    fn schema() -> Value;
    /// Runs the action. Returns `Err` with an async action, which was not run.
    #[doc(hidden)]
    fn perform(
        action: A,
        skill: &mut A::Skill,
        cx: &mut Context<A::Skill>,
    ) -> Result<Result<A::Output, A::Error>, A>;
}

/// The kind of an action that implements [`PureAction`].
#[derive(Clone, Copy, Debug)]
pub enum Pure {}

pub(crate) mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Pure {}
}

impl<A: PureAction + ActionArguments> Kind<A> for Pure {
    const IS_ASYNC: bool = false;
    const TAKES_CONTEXT: bool = A::TAKES_CONTEXT;

    #[inline]
    fn read(input: Input<'_>) -> Result<A, ReadError> {
        match input {
            Input::Text(text) => A::__read(text),
            Input::Value(value) => A::__read_value(value),
        }
    }

    fn to_value(action: &A) -> Result<Value, WriteError> {
        action.__to_value()
    }

    fn schema() -> Value {
        A::__schema()
    }

    #[inline]
    fn perform(
        action: A,
        skill: &mut A::Skill,
        cx: &mut Context<A::Skill>,
    ) -> Result<Result<A::Output, A::Error>, A> {
        Ok(action.run(skill, cx))
    }
}

/// An action of the skill `S`.
///
/// Implemented for every [`Action`] whose skill is `S`. Do not implement it yourself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an action of the skill `{S}`",
    label = "not an action of `{S}`",
    note = "an action belongs to the skill that its function takes first: `#[action] fn ...(skill: &mut {S}, ...)`"
)]
pub trait ActionOf<S: Skill> {
    #[doc(hidden)]
    const __ENTRY: ActionEntry<S>;
}

#[diagnostic::do_not_recommend]
impl<S: Skill, A: Action<Skill = S>> ActionOf<S> for A {
    const __ENTRY: ActionEntry<S> = ActionEntry {
        spec: A::SPEC,
        takes_context: <A::Kind as Kind<A>>::TAKES_CONTEXT,
        perform: perform::<S, A>,
    };
}

/// An action in the list of its skill: its spec and a function that runs it from JSON.
pub struct ActionEntry<S: Skill> {
    pub(crate) spec: ActionSpec,
    pub(crate) takes_context: bool,
    pub(crate) perform: Perform<S>,
}

/// Reads the arguments, runs the action, serializes its output and appends its effects.
pub(crate) type Perform<S> = fn(
    &mut S,
    &'static InstanceInfo,
    &AgentEnv,
    Request<'_>,
    &mut QueuedEffects,
) -> Result<String, CallFailure>;

/// A call with JSON arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) input: Input<'a>,
    pub(crate) meta: Option<&'a Arc<CommandMeta>>,
    /// Whether to restore the state if the call fails. False if the caller does so.
    pub(crate) save: bool,
}

impl<S: Skill> ActionEntry<S> {
    /// Creates the entry of the action `A`.
    pub const fn of<A: ActionOf<S>>() -> Self {
        A::__ENTRY
    }

    /// The placeholder for an action that does not compile.
    #[doc(hidden)]
    pub const fn __stub(name: &'static str) -> Self {
        Self {
            spec: ActionSpec::nothing(name),
            takes_context: false,
            perform: |_, _, _, _, _| unreachable!("a stub is generated only with a compile error"),
        }
    }

    /// The spec of the action.
    pub const fn spec(&self) -> ActionSpec {
        self.spec
    }
}

impl<S: Skill> std::fmt::Debug for ActionEntry<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ActionEntry").field(&self.spec.name).finish()
    }
}

/// The arguments of a call: the text from a model, or the value from an instruction.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    Text(&'a str),
    Value(&'a Value),
}

fn perform<S: Skill, A: Action<Skill = S>>(
    skill: &mut S,
    instance: &'static InstanceInfo,
    env: &AgentEnv,
    request: Request<'_>,
    queued: &mut QueuedEffects,
) -> Result<String, CallFailure> {
    if A::Kind::IS_ASYNC {
        return Err(CallFailure::NeedsServer);
    }
    let action = A::Kind::read(request.input)?;
    if A::Kind::TAKES_CONTEXT {
        let mut cx = Context::new(instance, env, request.meta);
        let text = attempt(action, skill, &mut cx, request.save)?;
        cx.queue_into(queued);
        return Ok(text);
    }
    // an unused context owns nothing, so skipping its drop leaks nothing
    attempt(
        action,
        skill,
        &mut ManuallyDrop::new(Context::unused()),
        request.save,
    )
}

/// Runs an action and serializes its output; restores the state if either fails. The constants are tested in an `if` of
/// their own so that the unused branch is not compiled.
#[inline]
fn attempt<S: Skill, A: Action<Skill = S>>(
    action: A,
    skill: &mut S,
    cx: &mut Context<S>,
    save: bool,
) -> Result<String, CallFailure> {
    if A::CHANGES && (A::FALLIBLE || !A::JSON_SAFE) {
        let saved = save.then(|| S::Config::__duplicate(skill));
        let answer = answer(action, skill, cx);
        if let (Err(_), Some(saved)) = (&answer, saved) {
            *skill = saved;
        }
        return answer;
    }
    answer(action, skill, cx)
}

#[inline]
fn answer<S: Skill, A: Action<Skill = S>>(
    action: A,
    skill: &mut S,
    cx: &mut Context<S>,
) -> Result<String, CallFailure> {
    match A::Kind::perform(action, skill, cx) {
        Ok(Ok(output)) => output.__write(A::JSON_SAFE).map_err(CallFailure::Output),
        Ok(Err(error)) => Err(CallFailure::Action(error.__boxed())),
        Err(_) => Err(CallFailure::NeedsServer),
    }
}

impl ActionSpec {
    /// The spec of the action `A`.
    ///
    /// # Panics
    /// When `name` is not a tool name or `description` is empty; in a `const`, where specs live, that is a compile error.
    #[track_caller]
    pub const fn of<A: Action>(name: &'static str, description: &'static str) -> Self {
        assert!(
            skill_agent_grammar::is_tool_name(name),
            "an action name has 1 to 64 letters, digits, `_` or `-`"
        );
        assert!(
            !description.is_empty(),
            "an action needs a description: a model picks by it"
        );
        Self {
            name,
            title: None,
            description,
            type_path: name,
            hints: Hints::NONE,
            internal: false,
            is_async: <A::Kind as Kind<A>>::IS_ASYNC,
            routes: &[],
            changes: A::CHANGES,
            input: || A::schemas().input(),
            output: || A::schemas().output(),
        }
    }
}

impl Schemas {
    /// An empty cell for the schemas of the action `A`.
    pub const fn of<A: Action>() -> Self {
        Self::new(A::Kind::schema, <A::Output as Answer>::__schema)
    }
}

impl Instruction {
    /// The instruction that a typed action is.
    ///
    /// # Errors
    /// When an argument cannot be written as JSON (NaN, infinity), with its path.
    pub fn of<A: Action>(action: &A) -> Result<Self, WriteError> {
        Ok(Self::new(A::NAME, <A::Kind as Kind<A>>::to_value(action)?))
    }
}
