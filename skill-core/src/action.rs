//! The trait that an action is, and how one is performed from JSON.

use crate::context::{AgentEnv, CommandMeta, InstanceInfo, QueuedEffects};
use crate::data::{ActionArguments, ActionError, Answer, ConfigOf};
use crate::json::{ReadError, WriteError};
use crate::{ActionSpec, CallFailure, Context, Hints, Instruction, Schemas, Skill};
use serde_json::Value;
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// A typed command of a skill: the struct holds the arguments.
///
/// `#[action]` writes it from a function. By hand it takes the struct with serde's and schemars' derives, this trait,
/// [`PureAction`], and two places in the skill:
///
/// ```
/// # #[cfg(feature = "macros")] {
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use skill_core::{
///     Action, ActionEntry, ActionSpec, Agent, Context, NoConfig, Pure, PureAction, Schemas, Skill, SkillSpec, agent,
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
    /// The skill whose state it reads or changes.
    type Skill: Skill;
    /// What it answers.
    type Output: Answer;
    /// How it fails; [`Infallible`](std::convert::Infallible) when it cannot.
    type Error: ActionError;
    /// How it runs: [`Pure`], at once on the state, or [`Async`](crate::Effectful), beside a server.
    type Kind: Kind<Self>;

    /// Everything the action says of itself.
    const SPEC: ActionSpec;

    /// The name a model calls it by.
    const NAME: &'static str = Self::SPEC.name;

    /// Whether it can change the state: false when the function takes `&S`. Nothing is saved before one that cannot.
    const CHANGES: bool = true;

    /// Whether it can fail. Nothing is saved before one that cannot.
    const FALLIBLE: bool = true;

    /// Whether every value of the output can be written as JSON (no float, no map with odd keys, no code of the user's). Then
    /// nothing is saved for a failure to write it, and the text is not looked through for what stands in the place of NaN.
    const JSON_SAFE: bool = false;

    /// Its schemas, made once per process.
    fn schemas() -> &'static Schemas;
}

/// An action that runs at once: same state, same arguments, same answer, and no effect but the directives it queues.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a pure action",
    label = "not an action that can run at once",
    note = "a pure action is the struct that `#[action]` makes of a function, with its arguments: `Add {{ a: 1.0, b: 2.0 }}`; one written by hand needs `impl PureAction for {Self}`; an async one runs in a server, by `server.call(...)`"
)]
pub trait PureAction: Action {
    /// Whether it asks for its context. One that does not is given a blank one, and queues nothing.
    const TAKES_CONTEXT: bool = true;

    /// Performs it.
    ///
    /// # Errors
    /// Its own; the caller puts the state back.
    fn run(
        self,
        skill: &mut Self::Skill,
        cx: &mut Context<Self::Skill>,
    ) -> Result<Self::Output, Self::Error>;
}

/// A way to run an action. Sealed: there are [`Pure`] and [`Async`](crate::Effectful).
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
    /// Performs it; gives an effectful one back.
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
/// Implemented for every [`Action`] whose skill is `S`; never by hand.
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

/// An action in the list of its skill: the spec, and how it is performed from JSON.
pub struct ActionEntry<S: Skill> {
    pub(crate) spec: ActionSpec,
    pub(crate) takes_context: bool,
    pub(crate) perform: Perform<S>,
}

/// Reads the arguments, performs, writes the answer, queues the directives.
pub(crate) type Perform<S> = fn(
    &mut S,
    &'static InstanceInfo,
    &AgentEnv,
    Request<'_>,
    &mut QueuedEffects,
) -> Result<String, CallFailure>;

/// A call from JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) input: Input<'a>,
    pub(crate) meta: Option<&'a Arc<CommandMeta>>,
    /// Whether the state is put back when the call fails; not where the caller does so.
    pub(crate) save: bool,
}

impl<S: Skill> ActionEntry<S> {
    /// The entry of the action `A`.
    pub const fn of<A: ActionOf<S>>() -> Self {
        A::__ENTRY
    }

    /// Stands in for an action with mistakes.
    #[doc(hidden)]
    pub const fn __stub(name: &'static str) -> Self {
        Self {
            spec: ActionSpec::nothing(name),
            takes_context: false,
            perform: |_, _, _, _, _| unreachable!("a stub stands beside a compile error"),
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

/// Arguments as they come: the text of a model, or the value of an instruction.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    Text(&'a str),
    Value(&'a Value),
}

fn perform<S: Skill, A: Action<Skill = S>>(
    skill: &mut S,
    place: &'static InstanceInfo,
    env: &AgentEnv,
    request: Request<'_>,
    queued: &mut QueuedEffects,
) -> Result<String, CallFailure> {
    if A::Kind::IS_ASYNC {
        return Err(CallFailure::NeedsServer);
    }
    let action = A::Kind::read(request.input)?;
    if A::Kind::TAKES_CONTEXT {
        let mut cx = Context::new(place, env, request.meta);
        let text = attempt(action, skill, &mut cx, request.save)?;
        cx.queue_into(queued);
        return Ok(text);
    }
    // a context that nobody has seen has nothing in it to be dropped
    attempt(
        action,
        skill,
        &mut ManuallyDrop::new(Context::unasked()),
        request.save,
    )
}

/// Performs an action and writes its answer; puts the state back where that fails. What is constant of an action is asked in
/// an `if` of its own, so that the other way is not even compiled.
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
