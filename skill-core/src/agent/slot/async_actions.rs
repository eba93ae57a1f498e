//! The type-erased async actions of one instance.

use super::slot;
use crate::async_action::{AsyncFuture, AsyncInput, Resources, SkillRunsWith};
use crate::bounds::ConfigOf;
use crate::composition::ActionId;
use crate::context::{ActionHost, CommandMeta};
use crate::{Agent, CallFailure, Context, SkillOf};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// Starts an instance's async actions. `agent!` generates one constant per skill.
pub struct SlotAsyncActions<G, R> {
    pub(super) start: StartAt<G, R>,
}

/// Starts the action at an index. Returns `None` for a pure action.
type StartAt<G, R> =
    fn(&G, action: usize, AsyncRequest<'_, R>) -> Option<Result<AsyncFuture, CallFailure>>;

/// The parameters for starting an async action.
pub struct AsyncRequest<'a, R> {
    /// The call's arguments.
    pub input: AsyncInput,
    /// The command's metadata.
    pub meta: Option<&'a Arc<CommandMeta>>,
    /// The receiver of the action's progress, which can also cancel the action.
    pub host: Option<Arc<dyn ActionHost>>,
    /// The server's resources.
    pub resources: &'a Arc<R>,
}

/// A type that identifies the instance `AT` of the skill `S`.
#[derive(Debug)]
pub struct SlotAt<S, const AT: usize>(PhantomData<fn() -> S>);

/// The slot of an agent without its own actions.
#[derive(Debug)]
pub enum NoActions {}

/// A placeholder for a skill that `#[cfg]` removes from an agent's list.
#[derive(Debug)]
pub enum Absent {}

/// An instance in the agent `G` whose actions can run with the resources `R`.
pub trait SlotRunsWith<G, R> {
    #[doc(hidden)]
    const ASYNC_ACTIONS: Option<SlotAsyncActions<G, R>>;
}

impl<G, R, S, const AT: usize> SlotRunsWith<G, R> for SlotAt<S, AT>
where
    G: Agent,
    R: Resources,
    S: SkillOf<G, AT> + SkillRunsWith<R>,
{
    const ASYNC_ACTIONS: Option<SlotAsyncActions<G, R>> = Some(SlotAsyncActions {
        start: start::<G, R, S, AT>,
    });
}

impl<G: Agent, R> SlotRunsWith<G, R> for NoActions {
    const ASYNC_ACTIONS: Option<SlotAsyncActions<G, R>> = Some(SlotAsyncActions {
        start: |_, _, _| None,
    });
}

impl<G, R> SlotRunsWith<G, R> for Absent {
    const ASYNC_ACTIONS: Option<SlotAsyncActions<G, R>> = None;
}

/// A tuple of up to sixteen instances in the agent `G` whose actions can run with the resources `R`.
pub trait SlotsRunWith<G: 'static, R: 'static> {
    #[doc(hidden)]
    const ASYNC_ACTIONS: &'static [Option<SlotAsyncActions<G, R>>];
}

macro_rules! tuples {
    ($first:ident $($rest:ident)*) => {
        impl<G, R, $first, $($rest),*> SlotsRunWith<G, R> for ($first, $($rest,)*)
        where
            G: 'static,
            R: 'static,
            $first: SlotRunsWith<G, R>,
            $($rest: SlotRunsWith<G, R>,)*
        {
            const ASYNC_ACTIONS: &'static [Option<SlotAsyncActions<G, R>>] = &[$first::ASYNC_ACTIONS, $($rest::ASYNC_ACTIONS),*];
        }
        tuples!($($rest)*);
    };
    () => {};
}
tuples!(S0 S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13 S14 S15);

fn start<G, R, S, const AT: usize>(
    agent: &G,
    action: usize,
    request: AsyncRequest<'_, R>,
) -> Option<Result<AsyncFuture, CallFailure>>
where
    G: Agent,
    R: Resources,
    S: SkillOf<G, AT> + SkillRunsWith<R>,
{
    let entry = S::ASYNC_ACTIONS
        .iter()
        .flat_map(|entries| *entries)
        .nth(action)?
        .as_ref()?;
    let (state, env) = agent.__parts();
    let parts = const { &slot::<G, S, AT>() }.parts(env, request.meta);
    let cx = Context::for_async(parts, request.host);
    let snapshot = S::Config::__clone(S::of(state));
    let resources = Arc::clone(request.resources);
    Some((entry.start)(request.input, snapshot, cx, resources))
}

/// An agent whose skills can all run with the resources `R`. Implemented by `agent!`.
#[diagnostic::on_unimplemented(
    message = "the agent `{Self}` cannot run with the resources `{R}`",
    label = "not an agent that runs with `{R}`"
)]
pub trait AgentRunsWith<R: Resources>: Agent {
    /// Returns the async actions of each skill in list order, in chunks of sixteen. The element is `None` for a skill that
    /// `#[cfg]` removes.
    #[doc(hidden)]
    fn __async_actions() -> &'static [&'static [Option<SlotAsyncActions<Self, R>>]];

    /// Starts an async action on a snapshot of its skill. Returns `None` if the action is pure.
    #[doc(hidden)]
    fn __start(
        &self,
        id: ActionId,
        request: AsyncRequest<'_, R>,
    ) -> Option<Result<AsyncFuture, CallFailure>> {
        // skills removed by `#[cfg]` are `None` and have no index
        let mut slots = Self::__async_actions().iter().copied().flatten().flatten();
        let actions = slots.nth(id.skill as usize)?;
        (actions.start)(self, id.action as usize, request)
    }
}

impl<G, R> fmt::Debug for SlotAsyncActions<G, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlotAsyncActions").finish_non_exhaustive()
    }
}

impl<R> fmt::Debug for AsyncRequest<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncRequest")
            .field("input", &self.input)
            .field("meta", &self.meta)
            .finish_non_exhaustive()
    }
}
