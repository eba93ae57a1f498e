//! Async actions: the trait, the resources, and how a server starts an action. This crate does not run them.

mod entry;
mod resources;
mod runs_with;

pub use entry::{AsyncDone, AsyncEntry, AsyncFailure, AsyncFuture, AsyncInput, AsyncOutput};
pub use resources::{Provide, Resources, report_resources};
pub use runs_with::{KindRunsWith, NeedsServer, RunWith, RunsWith, SkillRunsWith};

use crate::action::{ErasedAction, Input, Kind, NotPerformed, sealed};
use crate::bounds::ActionArguments;
use crate::{Action, Context};
use serde_json::Value;
use skill_agent_schema::{ReadError, WriteError};
use std::future::Future;

/// An action that may wait: an `async fn` with `#[action]`. Async actions run only in a server, on a snapshot of their skill.
/// They change state only through pure actions that they queue with [`Context::then`].
///
/// `R` is the type of the server's resources. `#[action]` implements the trait for every `R` that provides the references in the
/// function's parameters:
///
/// ```
/// # #[cfg(feature = "macros")] {
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use skill_core::{Action, Context, NoConfig, Skill, action};
///
/// /// Weather from a service.
/// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// #[serde(default)]
/// #[skill(name = "weather", actions(Forecast, Remember))]
/// pub struct Weather {
///     last_city: String,
/// }
///
/// /// How the skill reaches the world: a resource, never part of the state.
/// pub struct WeatherApi {
///     reading: f64,
/// }
///
/// /// Temperature in a city, in degrees Celsius.
/// #[action(open_world)]
/// pub async fn forecast(_: &Weather, cx: &mut Context<Weather>, api: &WeatherApi, city: String) -> f64 {
///     cx.then(Remember { city });
///     api.reading
/// }
///
/// /// Remember the last city.
/// #[action(internal)]
/// pub fn remember(weather: &mut Weather, city: String) {
///     weather.last_city = city;
/// }
///
/// assert!(Forecast::SPEC.is_async && !Remember::SPEC.is_async);
/// let mut cx = Context::for_test(NoConfig {});
/// let (weather, api) = (Weather::default(), WeatherApi { reading: -3.5 });
/// # let mut task = std::task::Context::from_waker(std::task::Waker::noop());
/// # let mut forecast = Box::pin(forecast(&weather, &mut cx, &api, "Oslo".to_owned()));
/// # let std::task::Poll::Ready(degrees) = forecast.as_mut().poll(&mut task) else { panic!() };
/// # drop(forecast);
/// # /*
/// let degrees = forecast(&weather, &mut cx, &api, "Oslo".to_owned()).await;
/// # */
/// assert_eq!((degrees, cx.directives().len()), (-3.5, 1));
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot run with the resources `{R}`",
    label = "not an async action that takes what `{R}` has",
    note = "an async action is the struct that `#[action]` makes of an `async fn`; one written by hand needs `impl AsyncAction<R> for {Self}`"
)]
pub trait AsyncAction<R: Resources>: Action<Skill: Send + Sync> + Send {
    /// Runs the action.
    fn run(
        self,
        skill: &Self::Skill,
        cx: &mut Context<Self::Skill>,
        resources: &R,
    ) -> impl Future<Output = Result<Self::Output, Self::Error>> + Send;
}

/// The kind of an action that implements [`AsyncAction`].
#[derive(Clone, Copy, Debug)]
pub enum Async {}

impl sealed::Sealed for Async {}

impl<A: Action + ActionArguments> Kind<A> for Async {
    const IS_ASYNC: bool = true;
    const TAKES_CONTEXT: bool = true;

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

    fn perform(
        action: A,
        _: &mut A::Skill,
        _: &mut Context<A::Skill>,
    ) -> Result<A::Output, NotPerformed<A>> {
        Err(NotPerformed::Async(action))
    }
}
