//! An action in its skill's list, and the code that runs the action from JSON.

use super::change::{Undo, change};
use super::kind::{Kind, NotPerformed};
use super::{Action, ErasedAction, When};
use crate::bounds::{ActionArguments, ActionError, Answer, ConfigOf};
use crate::context::{ContextParts, QueuedEffects};
use crate::{ActionSpec, CallFailure, Context, Skill};
use serde_json::Value;
use skill_agent_schema::{Problem, ReadError};
use std::any::Any;
use std::mem::ManuallyDrop;

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
        read: |input| A::Kind::read(input).map(A::Kind::erase),
        perform: perform::<S, A>,
        when: A::__WHEN,
    };
}

/// An action in its skill's list: its spec and a function that runs it from JSON.
pub struct ActionEntry<S: Skill> {
    pub(crate) spec: ActionSpec,
    pub(crate) takes_context: bool,
    pub(crate) read: fn(Input<'_>) -> Result<ErasedAction, ReadError>,
    pub(crate) perform: Perform<S>,
    pub(crate) when: Option<When<S>>,
}

/// Reads the arguments, runs the action, serializes its output and appends its effects.
type Perform<S> = fn(&mut S, &mut Request<'_>, &mut QueuedEffects) -> Result<String, CallFailure>;

/// A call by name.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) cx: &'a ContextParts<'a>,
    pub(crate) input: Input<'a>,
    pub(crate) undo: Undo,
}

impl<S: Skill> ActionEntry<S> {
    /// Creates the entry of the action `A`.
    pub const fn of<A: ActionOf<S>>() -> Self {
        A::__ENTRY
    }

    /// Creates a placeholder for an action that does not compile.
    #[doc(hidden)]
    pub const fn __stub(name: &'static str) -> Self {
        Self {
            spec: ActionSpec::nothing(name),
            takes_context: false,
            read: |_| unreachable!("a stub is generated only with a compile error"),
            perform: |_, _, _| unreachable!("a stub is generated only with a compile error"),
            when: None,
        }
    }

    /// Returns the action's spec.
    pub const fn spec(&self) -> ActionSpec {
        self.spec
    }
}

impl<S: Skill> std::fmt::Debug for ActionEntry<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ActionEntry").field(&self.spec.name).finish()
    }
}

/// A call's arguments: text from a model, the value from an instruction, or an action that was read earlier.
#[doc(hidden)]
#[derive(Debug)]
pub enum Input<'a> {
    Text(&'a str),
    Value(&'a Value),
    /// The action that was read earlier, taken out when it is used. Borrowed, because an owned one would give this type a `Drop`,
    /// which would slow down every call.
    Action(&'a mut Option<Box<dyn Any + Send>>),
}

/// Why an action that was read earlier does not run.
pub(crate) const REPLACED: &str =
    "the skill of the action was replaced after the arguments were read";

impl Input<'_> {
    #[inline]
    fn borrowed(&mut self) -> Input<'_> {
        match self {
            Self::Text(text) => Input::Text(text),
            Self::Value(value) => Input::Value(value),
            Self::Action(action) => Input::Action(action),
        }
    }

    #[inline]
    pub(crate) fn read<A: Action + ActionArguments>(self) -> Result<A, ReadError> {
        // the schema is generated only at the first mistake
        let schema = || A::schemas().input();
        match self {
            Self::Text(text) => A::__read(text, schema),
            Self::Value(value) => A::__read_value(value, schema),
            Self::Action(action) => taken(action),
        }
    }
}

/// Takes the action that was read earlier.
#[cold]
fn taken<A: 'static>(action: &mut Option<Box<dyn Any + Send>>) -> Result<A, ReadError> {
    let action = action.take().and_then(|action| action.downcast().ok());
    let action = action.map(|action: Box<A>| *action);
    action.ok_or_else(|| ReadError::Data(Problem::new("", REPLACED)))
}

fn perform<S: Skill, A: Action<Skill = S>>(
    skill: &mut S,
    request: &mut Request<'_>,
    queued: &mut QueuedEffects,
) -> Result<String, CallFailure> {
    if A::Kind::IS_ASYNC {
        return Err(CallFailure::NeedsServer);
    }
    let action = A::Kind::read(request.input.borrowed())?;
    if A::Kind::TAKES_CONTEXT {
        let mut cx = Context::new(*request.cx);
        let text = answer(action, skill, &mut cx, request.undo)?;
        cx.queue_into(queued);
        return Ok(text);
    }
    // an unused context owns nothing, so skipping its drop leaks nothing
    let mut cx = ManuallyDrop::new(Context::unused());
    answer(action, skill, &mut cx, request.undo)
}

/// Runs an action and serializes its output. An error of either is undone.
#[inline]
fn answer<S: Skill, A: Action<Skill = S>>(
    action: A,
    skill: &mut S,
    cx: &mut Context<S>,
    undo: Undo,
) -> Result<String, CallFailure> {
    let run = |skill: &mut S| match A::Kind::perform(action, skill, cx) {
        Ok(output) => output.__write(A::JSON_SAFE).map_err(CallFailure::Output),
        Err(NotPerformed::Failed(error)) => Err(CallFailure::Action(error.__boxed())),
        Err(NotPerformed::Async(_) | NotPerformed::NotMounted(_)) => Err(CallFailure::NeedsServer),
    };
    // each constant in its own `if`, so that the unused branch is not compiled
    if A::CHANGES && (A::FALLIBLE || !A::JSON_SAFE) {
        return change(skill, S::Config::__clone, undo, run).map(|(text, _)| text);
    }
    run(skill)
}
