//! Starts an async action.

use super::{AsyncAction, Resources};
use crate::action::{Input, Kind};
use crate::bounds::{ActionError, Answer};
use crate::context::QueuedEffects;
use crate::{Action, CallFailure, Context, Skill};
use serde_json::Value;
use std::any::Any;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// Starts an async action of the skill `S` with the resources `R`.
pub struct AsyncEntry<S, R> {
    pub(crate) start: StartFn<S, R>,
}

/// Reads the arguments and returns a future that runs the action.
pub(crate) type StartFn<S, R> =
    fn(AsyncInput, S, Context<S>, Arc<R>) -> Result<AsyncFuture, CallFailure>;

/// A future that runs an async action whose arguments have already been read.
pub type AsyncFuture = Pin<Box<dyn Future<Output = AsyncDone> + Send>>;

/// A call's arguments.
#[derive(Debug)]
pub enum AsyncInput {
    /// JSON text. The output is JSON text too.
    Text(String),
    /// A JSON value. The output is JSON text.
    Value(Value),
    /// An action that was read earlier. The output is JSON text.
    Action(Box<dyn Any + Send>),
    /// The action's struct. The output has the action's output type.
    Typed(Box<dyn Any + Send>),
}

/// The result of an async action.
#[derive(Debug)]
pub struct AsyncDone {
    /// The action's output or failure.
    pub output: Result<AsyncOutput, AsyncFailure>,
    /// The effects queued by the action; empty if it failed.
    pub queued: QueuedEffects,
}

/// An output in the form that matches the input.
#[derive(Debug)]
pub enum AsyncOutput {
    /// JSON text.
    Text(String),
    /// A value of the action's output type.
    Typed(Box<dyn Any + Send>),
}

/// A failure in the form that matches the input.
#[derive(Debug)]
pub enum AsyncFailure {
    /// The failure of a call from JSON, or of a typed call whose queued actions cannot be written as JSON
    /// ([`CallFailure::Queued`]).
    Call(CallFailure),
    /// A value of the action's error type.
    Typed(Box<dyn Any + Send>),
}

impl<S: Skill, R: Resources> AsyncEntry<S, R> {
    /// Creates the entry for the action `A`.
    pub const fn of<A: AsyncAction<R, Skill = S>>() -> Self {
        Self {
            start: start::<A, R>,
        }
    }
}

impl<S, R> Clone for AsyncEntry<S, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, R> Copy for AsyncEntry<S, R> {}

impl<S, R> fmt::Debug for AsyncEntry<S, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncEntry").finish_non_exhaustive()
    }
}

fn start<A: AsyncAction<R>, R: Resources>(
    input: AsyncInput,
    skill: A::Skill,
    mut cx: Context<A::Skill>,
    resources: Arc<R>,
) -> Result<AsyncFuture, CallFailure> {
    let is_typed = matches!(input, AsyncInput::Typed(_));
    let action: A = match input {
        AsyncInput::Text(text) => A::Kind::read(Input::Text(&text))?,
        AsyncInput::Value(value) => A::Kind::read(Input::Value(&value))?,
        AsyncInput::Action(action) | AsyncInput::Typed(action) => {
            A::Kind::read(Input::Action(&mut Some(action)))?
        }
    };
    Ok(Box::pin(async move {
        let result = action.run(&skill, &mut cx, &*resources).await;
        finish::<A>(result, cx, is_typed)
    }))
}

/// Converts an action's result. The effects of a failed action are dropped.
fn finish<A: Action>(
    result: Result<A::Output, A::Error>,
    cx: Context<A::Skill>,
    is_typed: bool,
) -> AsyncDone {
    let done = into_async_output::<A>(result, is_typed)
        .and_then(|output| Ok((output, cx.finish().map_err(AsyncFailure::Call)?)));
    match done {
        Ok((output, queued)) => AsyncDone {
            output: Ok(output),
            queued,
        },
        Err(failure) => AsyncDone {
            output: Err(failure),
            queued: QueuedEffects::default(),
        },
    }
}

fn into_async_output<A: Action>(
    result: Result<A::Output, A::Error>,
    is_typed: bool,
) -> Result<AsyncOutput, AsyncFailure> {
    match (result, is_typed) {
        (Ok(output), true) => Ok(AsyncOutput::Typed(Box::new(output))),
        (Err(error), true) => Err(AsyncFailure::Typed(error.__any())),
        (Ok(output), false) => match output.__write(A::JSON_SAFE) {
            Ok(text) => Ok(AsyncOutput::Text(text)),
            Err(error) => Err(AsyncFailure::Call(CallFailure::Output(error))),
        },
        (Err(error), false) => Err(AsyncFailure::Call(CallFailure::Action(error.__boxed()))),
    }
}
