//! An agent in which every piece of user code can be made to panic once.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use skill_agent::child::BoxFuture;
use skill_agent::clock::{Clock, SystemClock};
use skill_agent::core::HookError;
use skill_agent::prelude::*;
use skill_agent::server::{
    AgentServerBuilder, ApprovalRequest, Attempt, Decision, OutboundSignal, PublishFuture,
    SignalSink,
};
use skill_agent::store::Store;
use std::cell::Cell;
use std::fmt;
use std::time::{Duration, SystemTime};

listed_enum! {
    /// User code that a server calls.
    pub enum Point {
        Action,
        ActionPayload,
        AsyncAction,
        Approver,
        ArgumentDeserialize,
        ArgumentDrop,
        ArgumentSerialize,
        ClockNow,
        ClockSleep,
        ErrorDisplay,
        ErrorDrop,
        Guard,
        HandleSignal,
        OutputDeserialize,
        OutputDrop,
        OutputSerialize,
        PrepareSignal,
        Sink,
        StateClone,
        StateDefault,
        StateDeserialize,
        StateDrop,
        StateSerialize,
        TransformResult,
    }
}

thread_local! {
    /// The code that panics next. Each test has its own thread, which also runs its server.
    static ARMED: Cell<Option<Point>> = const { Cell::new(None) };
}

pub fn arm(point: Point) {
    ARMED.set(Some(point));
}

/// Returns whether the armed code has panicked since.
pub fn disarm() -> bool {
    ARMED.take().is_none()
}

fn is_armed(point: Point) -> bool {
    ARMED.get() == Some(point)
}

/// Panics if the point is armed. Only once: a second panic during unwinding would abort the process.
fn pass(point: Point) {
    if is_armed(point) && !std::thread::panicking() {
        ARMED.set(None);
        panic!("{point:?}");
    }
}

/// A panic's payload that panics when it is dropped.
struct Payload;

impl Drop for Payload {
    fn drop(&mut self) {
        panic!("the payload");
    }
}

macro_rules! fuse {
    ($(#[$attribute:meta])* $name:ident, $clone:expr, $drop:expr, $serialize:expr, $deserialize:expr) => {
        $(#[$attribute])*
        #[derive(Debug, PartialEq, JsonSchema)]
        #[schemars(transparent)]
        pub struct $name(pub u32);

        impl Clone for $name {
            fn clone(&self) -> Self {
                pass($clone);
                Self(self.0)
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                pass($drop);
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                pass($serialize);
                self.0.serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                pass($deserialize);
                u32::deserialize(deserializer).map(Self)
            }
        }
    };
}

fuse! {
    /// A number in the state.
    #[derive(Default)]
    InState, Point::StateClone, Point::StateDrop, Point::StateSerialize, Point::StateDeserialize
}

fuse! {
    /// A number in the arguments.
    InArguments, Point::ArgumentSerialize, Point::ArgumentDrop, Point::ArgumentSerialize, Point::ArgumentDeserialize
}

fuse! {
    /// A number as output.
    InOutput, Point::OutputSerialize, Point::OutputDrop, Point::OutputSerialize, Point::OutputDeserialize
}

/// The error of `fail`.
#[derive(Debug)]
pub struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pass(Point::ErrorDisplay);
        f.write_str("broken")
    }
}

impl std::error::Error for Broken {}

impl Drop for Broken {
    fn drop(&mut self) {
        pass(Point::ErrorDrop);
    }
}

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "bomb",
    actions(Tick, Fail, Later, Chain, Plan, Tell, Prepare, Total),
    hooks
)]
pub struct Bomb {
    count: InState,
}

/// Add to the count.
#[action(on("bomb.tick"))]
pub fn tick(bomb: &mut Bomb, by: InArguments) -> InOutput {
    bomb.count.0 += by.0;
    pass(Point::Action);
    if is_armed(Point::ActionPayload) {
        ARMED.set(None);
        std::panic::panic_any(Payload);
    }
    InOutput(bomb.count.0)
}

/// Add to the count and fail.
#[action(on("bomb.fail"))]
pub fn fail(bomb: &mut Bomb, by: InArguments) -> Result<InOutput, Broken> {
    bomb.count.0 += by.0;
    Err(Broken)
}

/// Add to the count from an async action.
#[action(on("bomb.later"))]
pub async fn later(_: &Bomb, cx: &mut Context<Bomb>, by: InArguments) -> InOutput {
    tokio::task::yield_now().await;
    pass(Point::AsyncAction);
    cx.then(Tick { by: by.clone() });
    InOutput(by.0)
}

/// Add to the count by a `Run` directive.
#[action]
pub fn chain(_: &Bomb, cx: &mut Context<Bomb>) {
    cx.run(Instruction::new("tick", json!({ "by": 1 })));
}

/// Add to the count by a schedule.
#[action]
pub fn plan(_: &Bomb, cx: &mut Context<Bomb>) {
    cx.schedule(Duration::ZERO, Signal::new("bomb.tick", json!({ "by": 1 })));
}

/// Emit a signal.
#[action]
pub fn tell(_: &Bomb, cx: &mut Context<Bomb>) {
    cx.emit(Signal::new("bomb.told", json!({})));
}

/// Add to the count and mount a skill.
#[action]
pub fn prepare(bomb: &mut Bomb, cx: &mut Context<Bomb>) {
    bomb.count.0 += 1;
    cx.mount("charge", &json!({}));
}

/// Return the count.
#[action]
pub fn total(bomb: &Bomb) -> u32 {
    bomb.count.0
}

impl Hooks for Bomb {
    fn prepare_signal(
        &mut self,
        signal: Signal,
        _: &mut Context<Self>,
    ) -> Result<Signal, HookError> {
        pass(Point::PrepareSignal);
        Ok(signal)
    }

    fn handle_signal(
        &mut self,
        signal: &Signal,
        _: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        if signal.ty() != "bomb.heard" {
            return Ok(Handled::Ignored);
        }
        self.count.0 += 1;
        pass(Point::HandleSignal);
        Ok(Handled::Done)
    }

    fn transform_result(
        &mut self,
        _: &Signal,
        result: Result<serde_json::Value, HookError>,
        _: &mut Context<Self>,
    ) -> Result<serde_json::Value, HookError> {
        pass(Point::TransformResult);
        result
    }
}

/// A skill for mounting.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "charge", actions(Load))]
pub struct Charge {
    loaded: InState,
}

impl Default for Charge {
    fn default() -> Self {
        pass(Point::StateDefault);
        Self { loaded: InState(0) }
    }
}

/// Load it.
#[action]
pub fn load(charge: &mut Charge) {
    charge.loaded.0 += 1;
}

agent! {
    /// Panics.
    pub struct FuseAgent {
        name: "fuse_agent",
        skills: [Bomb],
        mounted: [Charge],
    }
}

#[derive(Debug)]
struct FuseClock;

impl Clock for FuseClock {
    fn now(&self) -> SystemTime {
        pass(Point::ClockNow);
        SystemClock.now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<()> {
        pass(Point::ClockSleep);
        SystemClock.sleep(duration)
    }
}

struct FuseSink;

impl SignalSink for FuseSink {
    fn publish(&self, _: OutboundSignal) -> PublishFuture<'_> {
        pass(Point::Sink);
        Box::pin(async { Ok(()) })
    }
}

fn guard(attempt: &Attempt<'_>) -> Decision {
    if attempt.tool.name == "total" {
        return Decision::Allow;
    }
    pass(Point::Guard);
    if is_armed(Point::Approver) {
        Decision::Ask
    } else {
        Decision::Allow
    }
}

async fn approve(_: ApprovalRequest) -> bool {
    pass(Point::Approver);
    true
}

/// A builder for a server whose code panics where it is armed.
pub fn fuse_server(store: Option<&(impl Store + Clone)>) -> AgentServerBuilder<FuseAgent> {
    let builder = AgentServer::builder(FuseAgent::with_id("lib-1"))
        .clock(FuseClock)
        .guard(guard)
        .approver(approve)
        .signal_sink(FuseSink);
    match store {
        Some(store) => builder.store(store.clone()),
        None => builder,
    }
}
