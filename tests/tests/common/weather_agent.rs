//! An agent with async actions, and a minimal executor that starts and polls them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_agent::core::Signal;
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::core::process::{
    ActionHost, ActionId, AsyncDone, AsyncFuture, AsyncInput, AsyncRequest, CallFailure,
};
use skill_agent::prelude::*;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Waker};

/// Weather from a service.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "weather",
    config = WeatherConfig,
    actions(Forecast, Remember, Wait, RaiseOffset, QueueNotFinite, Survey, Label)
)]
pub struct Weather {
    pub last_city: Option<String>,
    pub offset: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WeatherConfig {
    pub unit: String,
}

/// The weather service, a resource.
pub struct WeatherApi {
    pub reading: f64,
}

/// A resource behind a trait.
pub trait CityNames: Send + Sync {
    fn of(&self, city: &str) -> String;
}

/// Temperature in a city, in degrees Celsius.
#[action(open_world, on("weather.asked"))]
pub async fn forecast(
    weather: &Weather,
    cx: &mut Context<Weather>,
    api: &WeatherApi,
    #[arg(length(1..=20))] city: String,
) -> Result<f64, Offline> {
    yield_once().await;
    if Some(&city) != weather.last_city.as_ref() {
        cx.then(Remember { city });
    }
    cx.emit(Signal::new("weather.forecast", Value::Null));
    if api.reading.is_infinite() {
        return Err(Offline { code: 503 });
    }
    Ok(api.reading + weather.offset)
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("the weather service is offline, code {code}")]
pub struct Offline {
    pub code: u16,
}

/// Remember the last city.
#[action(internal)]
pub fn remember(weather: &mut Weather, city: String) {
    weather.last_city = Some(city);
}

/// Wait until the caller cancels.
#[action]
pub async fn wait(_: &Weather, cx: &mut Context<Weather>) -> bool {
    cx.progress("waiting");
    cx.cancelled().await;
    cx.is_cancelled()
}

/// Raise the offset.
#[action(destructive)]
pub fn raise_offset(weather: &mut Weather, by: f64) {
    weather.offset += by;
}

/// Queue an action whose arguments JSON cannot hold.
#[action(idempotent)]
pub async fn queue_not_finite(_: &Weather, cx: &mut Context<Weather>) {
    cx.then(RaiseOffset { by: f64::NAN });
    cx.then(RaiseOffset { by: 1.0 });
}

// the resource parameters are between the arguments, and one of them is a trait object
/// Read the temperature of several cities.
#[action(read_only)]
pub async fn survey(
    weather: &Weather,
    cities: Vec<String>,
    names: &dyn CityNames,
    #[arg(default = 1)] times: usize,
    api: &WeatherApi,
) -> Vec<String> {
    let mut readings = Vec::new();
    for city in cities.iter().cycle().take(cities.len() * times) {
        yield_once().await;
        let degrees = api.reading + weather.offset;
        readings.push(format!("{}: {degrees}", names.of(city)));
    }
    readings
}

/// Return the name of the instance, its unit and the id of the agent.
#[action(type = Label, name = "label")]
pub async fn label_it(_: &Weather, cx: &mut Context<Weather>) -> (String, String, Option<String>) {
    let id = cx.agent_id().map(str::to_owned);
    (cx.skill().to_owned(), cx.config().unit.clone(), id)
}

agent! {
    /// Lists the weather skill twice.
    #[derive(Debug, PartialEq)]
    pub struct WeatherAgent {
        name: "weather_agent",
        state: { asked: u32 },
        skills: [Weather { unit: "C".to_owned() }, Weather as second],
        actions: [Ask],
    }
}

/// Return the sum of the reading and a base field.
#[action]
pub async fn ask(agent: &WeatherAgentBase, api: &WeatherApi) -> f64 {
    f64::from(agent.asked) + api.reading
}

#[derive(Resources)]
pub struct WeatherResources {
    pub api: WeatherApi,
    pub names: Arc<dyn CityNames>,
    #[resources(skip)]
    pub other: WeatherApi,
}

impl CityNames for [(&'static str, &'static str); 1] {
    fn of(&self, city: &str) -> String {
        let found = self.iter().find(|(name, _)| *name == city);
        found.map_or(city, |(_, name)| name).to_owned()
    }
}

pub fn resources(reading: f64) -> Arc<WeatherResources> {
    Arc::new(WeatherResources {
        api: WeatherApi { reading },
        names: Arc::new([("Oslo", "Christiania")]),
        other: WeatherApi { reading: 99.0 },
    })
}

/// Returns `Pending` once, like `tokio::task::yield_now`.
async fn yield_once() {
    let mut is_first = true;
    std::future::poll_fn(|task| {
        if std::mem::take(&mut is_first) {
            task.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    })
    .await;
}

/// Returns the agent's name. Compiles only for an agent that runs with these resources.
pub fn agent_name<G: AgentRunsWith<R>, R: Resources>(agent: &G, _: &R) -> &'static str {
    let _ = agent;
    G::SPEC.name
}

/// Starts an action. Returns `None` if that action is not async.
pub fn start<G: AgentRunsWith<WeatherResources>>(
    agent: &G,
    action: ActionId,
    input: AsyncInput,
    host: Option<Arc<dyn ActionHost>>,
    resources: &Arc<WeatherResources>,
) -> Option<Result<AsyncFuture, CallFailure>> {
    let request = AsyncRequest {
        input,
        meta: None,
        host,
        resources,
    };
    agent.__start(action, request)
}

/// Polls a future until it is ready. The waker does nothing, so the future must make progress on every poll.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut task = Task::from_waker(Waker::noop());
    for _ in 0..1_000 {
        if let Poll::Ready(output) = future.as_mut().poll(&mut task) {
            return output;
        }
    }
    panic!("polled a thousand times");
}

/// Returns arguments as text, the form in which a model sends them.
pub fn text_input(json: &str) -> AsyncInput {
    AsyncInput::Text(json.to_owned())
}

/// Runs an action to completion with a service that reads -3.5.
pub fn run<G: AgentRunsWith<WeatherResources>>(
    agent: &G,
    action: ActionId,
    input: AsyncInput,
) -> Result<AsyncDone, CallFailure> {
    let started = start(agent, action, input, None, &resources(-3.5)).expect("an async action");
    started.map(block_on)
}

/// A host that records progress, and cancels the action at its first progress.
#[derive(Default)]
pub struct CancelAfterProgress(pub Mutex<Vec<(String, Value)>>);

impl ActionHost for CancelAfterProgress {
    fn progress(&self, skill: &str, value: Value) {
        self.0.lock().unwrap().push((skill.to_owned(), value));
    }

    fn is_cancelled(&self) -> bool {
        !self.0.lock().unwrap().is_empty()
    }

    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async {
            while !self.is_cancelled() {
                yield_once().await;
            }
        })
    }
}
