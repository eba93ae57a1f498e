//! How an action runs: at once, or in a server.

use super::entry::Input;
use super::{Action, ErasedAction, PureAction};
use crate::Context;
use crate::bounds::ActionArguments;
use crate::mounted::MountError;
use serde_json::Value;
use skill_agent_schema::{ReadError, WriteError};

/// How an action runs: [`Pure`] or [`Async`](crate::Async). This trait is sealed.
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
    fn erase(action: A) -> ErasedAction;
    #[doc(hidden)]
    fn schema() -> Value;
    /// Runs the action unless it is async.
    #[doc(hidden)]
    fn perform(
        action: A,
        skill: &mut A::Skill,
        cx: &mut Context<A::Skill>,
    ) -> Result<A::Output, NotPerformed<A>>;
}

/// Why an action has no output.
#[doc(hidden)]
pub enum NotPerformed<A: Action> {
    /// The action failed with its own error.
    Failed(A::Error),
    /// The action is async and was not run.
    Async(A),
    /// The action queued a mount or unmount that failed.
    NotMounted(MountError),
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
        input.read()
    }

    fn to_value(action: &A) -> Result<Value, WriteError> {
        action.__to_value()
    }

    fn erase(action: A) -> ErasedAction {
        ErasedAction::new(action)
    }

    fn schema() -> Value {
        A::__tool_schema(A::SPEC.description)
    }

    #[inline]
    fn perform(
        action: A,
        skill: &mut A::Skill,
        cx: &mut Context<A::Skill>,
    ) -> Result<A::Output, NotPerformed<A>> {
        action.run(skill, cx).map_err(NotPerformed::Failed)
    }
}
