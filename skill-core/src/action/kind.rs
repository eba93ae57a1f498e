//! How an action runs: at once, or in a server.

use super::entry::Input;
use super::{Action, PureAction};
use crate::Context;
use crate::bounds::ActionArguments;
use crate::json::{ReadError, WriteError};
use serde_json::Value;

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
