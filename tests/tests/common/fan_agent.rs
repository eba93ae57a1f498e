//! An agent whose commands lead to many others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::Start;
use skill_agent::core::HookError;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::testing::ManualClock;
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// Work that a test does within an action.
type Work = Box<dyn FnOnce()>;

thread_local! {
    // Each test has its own thread, which also runs its server.
    static TURNS: Cell<usize> = const { Cell::new(0) };
    static CLOCK: RefCell<Option<ManualClock>> = const { RefCell::new(None) };
    static AT_TURN: RefCell<Option<(usize, Work)>> = const { RefCell::new(None) };
    static IS_HELD: Cell<bool> = const { Cell::new(false) };
    static ON_MOUNT: Cell<(Kind, usize)> = const { Cell::new((Kind::Emit, 0)) };
}

/// A server without limits ends after so many turns too, so that a test fails instead of taking all memory.
const LAST_TURN: usize = 20_000;

/// Counts the turns from here on.
pub fn reset_turns() {
    TURNS.set(0);
}

/// How often `repeat` ran, with or without success.
pub fn turns() -> usize {
    TURNS.get()
}

/// Lets `repeat` advance a clock by a second each time.
pub fn advance_each_turn(clock: &ManualClock) {
    CLOCK.set(Some(clock.clone()));
}

/// Does something in the turn of this number.
pub fn at_turn(turn: usize, work: impl FnOnce() + 'static) {
    AT_TURN.set(Some((turn, Box::new(work))));
}

/// Makes `fetch` wait until it is cancelled, or no longer.
pub fn hold(is_held: bool) {
    IS_HELD.set(is_held);
}

/// Sets what `on_mount` queues.
pub fn queue_on_mount(kind: Kind, count: usize) {
    ON_MOUNT.set((kind, count));
}

/// A way to lead to something else.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A signal that only subscribers get.
    Emit,
    Run,
    /// A signal that the agent gets itself, with the loopback of [`fan`].
    Loopback,
    /// A schedule without delay.
    Now,
    /// A schedule with a delay of a second.
    Later,
}

/// Queues what it is asked for.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "fan",
    actions(
        Mark,
        Queue,
        Spread,
        Repeat,
        Beat,
        Plan,
        Change,
        Fetch,
        Begin,
        FetchAndSpread
    ),
    hooks
)]
pub struct Fan {
    /// How many commands queued something.
    pub commands: usize,
    pub marks: usize,
}

fn queue_times(cx: &mut Context<Fan>, kind: Kind, count: usize, action: &str, params: &Value) {
    let signal = || Signal::new(format!("fan.{action}"), params.clone());
    for _ in 0..count {
        match kind {
            Kind::Emit => cx.emit(Signal::new("note.taken", Value::Null)),
            Kind::Run => cx.run(Instruction::new(action.to_owned(), params.clone())),
            Kind::Loopback => cx.emit(signal()),
            Kind::Now => cx.schedule(Duration::ZERO, signal()),
            Kind::Later => cx.schedule(Duration::from_secs(1), signal()),
        }
    }
}

/// Count a mark.
#[action(on("fan.mark"))]
pub fn mark(fan: &mut Fan) {
    fan.marks += 1;
}

/// Queue `mark` several times.
#[action(on("fan.queue"))]
pub fn queue(fan: &mut Fan, cx: &mut Context<Fan>, kind: Kind, count: usize) {
    fan.commands += 1;
    queue_times(cx, kind, count, "mark", &json!({}));
}

/// Queue a run of `queue` for each count, which queues that many marks.
#[action]
pub fn spread(fan: &mut Fan, cx: &mut Context<Fan>, kind: Kind, counts: Vec<usize>) {
    fan.commands += 1;
    for count in counts {
        let params = json!({ "kind": kind, "count": count });
        cx.run(Instruction::new("queue", params));
    }
}

/// Queue this action several times.
#[action(on("fan.repeat"))]
pub fn repeat(fan: &mut Fan, cx: &mut Context<Fan>, kind: Kind, count: usize) {
    TURNS.set(turns() + 1);
    assert!(turns() < LAST_TURN, "the chain has no end");
    CLOCK.with_borrow(|clock| {
        if let Some(clock) = clock {
            clock.advance(Duration::from_secs(1));
        }
    });
    let work = AT_TURN.with_borrow_mut(|work| work.take_if(|(turn, _)| *turn == turns()));
    if let Some((_, work)) = work {
        work();
    }
    fan.commands += 1;
    let params = json!({ "kind": kind, "count": count });
    queue_times(cx, kind, count, "repeat", &params);
}

/// Queue `count` marks, and this action a second later.
#[action(on("fan.beat"))]
pub fn beat(fan: &mut Fan, cx: &mut Context<Fan>, count: usize) {
    fan.commands += 1;
    queue_times(cx, Kind::Run, count, "mark", &json!({}));
    queue_times(cx, Kind::Later, 1, "beat", &json!({ "count": count }));
}

/// Schedule marks in a number of seconds.
#[action]
pub fn plan(fan: &mut Fan, cx: &mut Context<Fan>, count: usize, seconds: u64) {
    fan.commands += 1;
    for _ in 0..count {
        let mark = Signal::new("fan.mark", json!({}));
        cx.schedule(Duration::from_secs(seconds), mark);
    }
}

/// Cancel and then schedule signals under keys.
#[action]
pub fn change(fan: &mut Fan, cx: &mut Context<Fan>, cancel: Vec<String>, schedule: Vec<String>) {
    fan.commands += 1;
    for key in &cancel {
        cx.cancel(key);
    }
    for key in &schedule {
        let mark = Signal::new("fan.mark", json!({}));
        cx.schedule_as(key, Duration::from_secs(3600), mark);
    }
}

/// Count a mark, and queue several more.
#[action(on("fan.fetch"))]
pub async fn fetch(_: &Fan, cx: &mut Context<Fan>, kind: Kind, count: usize) {
    if IS_HELD.get() {
        cx.cancelled().await;
        std::future::pending::<()>().await;
    }
    cx.then(Mark {});
    queue_times(cx, kind, count, "mark", &json!({}));
}

/// Queue `fetch` once, which queues nothing.
#[action]
pub fn begin(fan: &mut Fan, cx: &mut Context<Fan>, kind: Kind) {
    fan.commands += 1;
    queue_times(cx, kind, 1, "fetch", &json!({ "kind": kind, "count": 0 }));
}

/// Queue a `fetch` that queues `count` marks, and a `spread`.
#[action]
pub fn fetch_and_spread(fan: &mut Fan, cx: &mut Context<Fan>, count: usize, counts: Vec<usize>) {
    fan.commands += 1;
    let kind = Kind::Run;
    queue_times(
        cx,
        kind,
        1,
        "fetch",
        &json!({ "kind": kind, "count": count }),
    );
    queue_times(
        cx,
        kind,
        1,
        "spread",
        &json!({ "kind": kind, "counts": counts }),
    );
}

impl Hooks for Fan {
    fn on_mount(&mut self, _: Start, cx: &mut Context<Self>) -> Result<(), HookError> {
        let (kind, count) = ON_MOUNT.get();
        self.commands += usize::from(count > 0);
        queue_times(cx, kind, count, "mark", &json!({}));
        Ok(())
    }

    /// Runs `mark` or `fetch` within the command.
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        let (action, params) = match signal.ty() {
            "fan.marks" => ("mark", json!({})),
            "fan.fetches" => ("fetch", json!({ "kind": "emit", "count": 0 })),
            _ => return Ok(Handled::Ignored),
        };
        self.commands += 1;
        let count = signal.data()["times"].as_u64().unwrap_or_default() as usize;
        queue_times(cx, Kind::Run, count, action, &params);
        Ok(Handled::Done)
    }
}

agent! {
    /// Has commands that lead to many others.
    #[derive(Clone, Debug, PartialEq)]
    pub struct FanAgent {
        name: "fan_agent",
        skills: [Fan],
    }
}

/// A builder with the loopback of [`Kind::Loopback`].
pub fn fan() -> AgentServerBuilder<FanAgent> {
    AgentServer::builder(FanAgent::with_id("fan-1")).loopback("fan.**")
}

pub async fn state_of(server: &AgentServer<FanAgent>) -> Fan {
    server.agent().await.unwrap().state().fan.clone()
}

/// Waits until so many more commands than `before` have ended, and for those that should not follow. Returns how many did.
pub async fn until_ended(server: &AgentServer<FanAgent>, before: u64, count: u64) -> u64 {
    while ended(server) < before + count {
        tokio::task::yield_now().await;
    }
    for _ in 0..20 {
        server.agent().await.unwrap();
    }
    ended(server) - before
}

/// How many commands have succeeded or failed.
pub fn ended(server: &AgentServer<FanAgent>) -> u64 {
    let stats = server.stats();
    stats.handled + stats.failed
}
