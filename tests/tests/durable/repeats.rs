//! Schedules that repeat: at a fixed rate, over crashes and restarts, until they are cancelled.

use super::{kill, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::StopReason;
use skill_agent::clock::Clock;
use skill_agent::core::directive::{Missed, every};
use skill_agent::prelude::*;
use skill_agent::server::{AgentServerBuilder, RepeatError};
use skill_agent::store::{Memory, Store};
use skill_agent::testing::{Fault, FaultyStore, ManualClock};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Keeps the seconds at which its runs were due.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "pulse", actions(Begin, Once, Finish, Beat, Last, Fail, Slow))]
pub struct Pulse {
    pub beats: Vec<u64>,
    pub calls: u64,
    pub ids: BTreeSet<String>,
}

/// Begin to repeat a signal.
#[action]
pub fn begin(pulse: &mut Pulse, cx: &mut Context<Pulse>, what: String, millis: u64, missed: u8) {
    pulse.calls += 1;
    let missed = [Missed::Once, Missed::All, Missed::None][usize::from(missed)];
    let repeat = every(Duration::from_millis(millis)).missed(missed);
    cx.repeat_as("pulse", repeat, Signal::new(what, json!({})));
}

/// Send a signal once.
#[action]
pub fn once(_: &Pulse, cx: &mut Context<Pulse>, key: String, what: String, seconds: u64) {
    let after = Duration::from_secs(seconds);
    cx.schedule_as(&key, after, Signal::new(what, json!({})));
}

/// End the repetition.
#[action(on("pulse.finish"))]
pub fn finish(_: &Pulse, cx: &mut Context<Pulse>) {
    cx.cancel("pulse");
}

/// Keep the time.
#[action(on("pulse.beat"))]
pub fn beat(pulse: &mut Pulse, cx: &mut Context<Pulse>) {
    pulse.beats.push(due(cx));
    pulse
        .ids
        .extend(cx.signal().and_then(Signal::id).map(str::to_owned));
}

/// Keep the time, and end the repetition.
#[action(on("pulse.last"))]
pub fn last(pulse: &mut Pulse, cx: &mut Context<Pulse>) {
    pulse.beats.push(due(cx));
    cx.cancel("pulse");
}

/// The pulse stopped.
#[derive(Debug, thiserror::Error)]
#[error("the pulse stopped")]
pub struct Stopped;

/// Fail.
#[action(on("pulse.fail"))]
pub fn fail(pulse: &mut Pulse) -> Result<(), Stopped> {
    pulse.calls += 1;
    Err(Stopped)
}

/// Lets `slow` end.
static SLOW: Semaphore = Semaphore::const_new(0);

/// Wait, and keep the time.
#[action(on("pulse.slow"))]
pub async fn slow(_: &Pulse, cx: &mut Context<Pulse>) {
    SLOW.acquire().await.unwrap().forget();
    cx.then(Beat {});
}

fn due(cx: &Context<Pulse>) -> u64 {
    let time = cx.signal().and_then(Signal::time).unwrap();
    let since = time.duration_since(ManualClock::new().now()).unwrap();
    since.as_secs()
}

agent! {
    /// Has a pulse.
    pub struct Runner {
        name: "runner",
        skills: [Pulse],
    }
}

fn runner_on(store: impl Store, clock: &ManualClock) -> AgentServerBuilder<Runner> {
    AgentServer::builder(Runner::with_id("runner-1"))
        .store(store)
        .clock(clock.clone())
}

pub fn begin_with(what: &str, seconds: u64, missed: u8) -> Begin {
    Begin {
        what: what.to_owned(),
        millis: seconds * 1000,
        missed,
    }
}

async fn pulse(server: &AgentServer<Runner>) -> Pulse {
    server.agent().await.unwrap().state().pulse.clone()
}

/// Waits until there are as many beats, and then a while, so that a beat too many is seen.
async fn beats(server: &AgentServer<Runner>, count: usize) -> Vec<u64> {
    while pulse(server).await.beats.len() < count {
        tokio::task::yield_now().await;
    }
    for _ in 0..20 {
        pulse(server).await;
    }
    pulse(server).await.beats
}

/// The number of scheduled signals, after the server has worked for a while.
pub async fn scheduled<G: Agent>(server: &AgentServer<G>) -> u64 {
    for _ in 0..20 {
        server.agent().await.unwrap();
    }
    server.stats().scheduled
}

pub fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

#[timed_test::test]
async fn runs_keep_their_rate_without_a_store() {
    let clock = ManualClock::new();
    let builder = AgentServer::builder(Runner::new()).clock(clock.clone());
    let server = start(builder).await;
    server.call(begin_with("pulse.beat", 10, 0)).await.unwrap();
    assert!(beats(&server, 0).await.is_empty());
    // late, but no run is missed
    clock.advance(seconds(13));
    assert_eq!(beats(&server, 1).await, [10]);
    clock.advance(seconds(7));
    assert_eq!(beats(&server, 2).await, [10, 20]);
    assert_eq!(pulse(&server).await.ids.len(), 2);
    assert_eq!(scheduled(&server).await, 1);
    server.call(Finish {}).await.unwrap();
    clock.advance(seconds(100));
    assert_eq!(beats(&server, 2).await, [10, 20]);
    assert_eq!(scheduled(&server).await, 0);
    let report = server.stop().await.unwrap();
    assert_eq!(report.dropped, 0);
}

#[timed_test::test]
async fn runs_that_were_missed_take_place_once_all_or_not_at_all() {
    let all = Vec::from_iter((1..=13).map(|run| run * 10));
    for (missed, expected) in [
        (0, vec![10, 20, 30, 130]),
        (1, all),
        (2, vec![10, 20, 120, 130]),
    ] {
        let (memory, clock) = (Memory::default(), ManualClock::new());
        let server = start(runner_on(memory.clone(), &clock)).await;
        server
            .call(begin_with("pulse.beat", 10, missed))
            .await
            .unwrap();
        for count in [1, 2] {
            clock.advance(seconds(10));
            beats(&server, count).await;
        }
        kill(server).await;
        clock.advance(seconds(105));
        let server = start(runner_on(memory.clone(), &clock)).await;
        let at_start = expected.len() - 1;
        assert_eq!(beats(&server, at_start).await, expected[..at_start]);
        clock.advance(seconds(5));
        assert_eq!(beats(&server, expected.len()).await, expected);
        // the store has the times too
        kill(server).await;
        let server = start(runner_on(memory, &clock)).await;
        assert_eq!(beats(&server, expected.len()).await, expected);
        assert_eq!(scheduled(&server).await, 1);
    }
}

#[timed_test::test]
async fn missed_runs_of_long_intervals_are_skipped() {
    let (memory, clock) = (Memory::default(), ManualClock::new());
    let server = start(runner_on(memory.clone(), &clock)).await;
    server
        .call(begin_with("pulse.beat", 3600, 2))
        .await
        .unwrap();
    kill(server).await;
    clock.advance(seconds(5 * 3600 + 61));
    let server = start(runner_on(memory.clone(), &clock)).await;
    assert!(beats(&server, 0).await.is_empty());
    kill(server).await;
    clock.advance(seconds(3600 - 2));
    let server = start(runner_on(memory, &clock)).await;
    assert_eq!(beats(&server, 1).await, [6 * 3600]);
}

#[timed_test::test]
async fn a_clock_that_jumps_loses_and_repeats_no_run() {
    let (memory, clock) = (Memory::default(), ManualClock::new());
    let server = start(runner_on(memory, &clock)).await;
    server.call(begin_with("pulse.beat", 10, 0)).await.unwrap();
    clock.set(clock.now() + seconds(35));
    clock.advance(seconds(1));
    assert_eq!(beats(&server, 1).await, [10]);
    // back by a day: the next run waits for its time
    clock.set(clock.now() - seconds(86_400));
    clock.advance(seconds(1_000));
    assert_eq!(beats(&server, 1).await, [10]);
    clock.advance(seconds(86_400 - 1_000 + 4));
    assert_eq!(beats(&server, 2).await, [10, 40]);
}

#[timed_test::test]
async fn a_run_may_end_its_schedule_and_fail() {
    let (memory, clock) = (Memory::default(), ManualClock::new());
    let server = start(runner_on(memory.clone(), &clock)).await;
    server.call(begin_with("pulse.last", 10, 0)).await.unwrap();
    clock.advance(seconds(10));
    assert_eq!(beats(&server, 1).await, [10]);
    assert_eq!(scheduled(&server).await, 0);

    server.call(begin_with("pulse.fail", 10, 0)).await.unwrap();
    for failed in [1, 2] {
        clock.advance(seconds(10));
        while server.stats().failed < failed {
            tokio::task::yield_now().await;
        }
    }
    beats(&server, 1).await;
    assert_eq!((server.stats().failed, scheduled(&server).await), (2, 1));
    kill(server).await;
    let server = start(runner_on(memory, &clock)).await;
    beats(&server, 1).await;
    assert_eq!((server.stats().failed, scheduled(&server).await), (0, 1));
    // a run of the same key takes its place
    server.call(begin_with("pulse.beat", 7, 0)).await.unwrap();
    clock.advance(seconds(10));
    assert_eq!(beats(&server, 2).await, [10, 37]);
    assert_eq!((server.stats().failed, scheduled(&server).await), (0, 1));
}

#[timed_test::test]
async fn a_run_is_not_lost_or_repeated_by_a_crash() {
    for (fault, again) in [
        (Fault::FailBefore, true),
        (Fault::FailAfter, false),
        (Fault::CrashBefore, true),
        (Fault::CrashAfter, false),
    ] {
        let (store, clock) = (FaultyStore::new(Memory::default()), ManualClock::new());
        let server = start(runner_on(store.clone(), &clock)).await;
        server.call(begin_with("pulse.beat", 10, 0)).await.unwrap();
        let crashes = matches!(fault, Fault::CrashBefore | Fault::CrashAfter);
        store.on_commit(0, fault);
        clock.advance(seconds(10));
        if crashes {
            store.crashed().await;
            server.kill();
            store.restart();
            server.closed().await;
        } else {
            assert!(matches!(server.closed().await, StopReason::Store(_)));
        }
        let server = start(runner_on(store.clone(), &clock)).await;
        // the record of the run is in the log, or the run takes place again
        let records = if again { 1 } else { 2 };
        assert_eq!(server.recovery().records, records);
        assert_eq!(server.recovery().directives, 1);
        assert_eq!(beats(&server, 1).await, [10]);
        clock.advance(seconds(10));
        assert_eq!(beats(&server, 2).await, [10, 20]);
        kill(server).await;
        let server = start(runner_on(store, &clock)).await;
        assert_eq!(beats(&server, 2).await, [10, 20]);
        assert_eq!(scheduled(&server).await, 1);
    }
}

#[timed_test::test]
async fn a_run_that_the_store_refuses_is_tried_again() {
    let (store, clock) = (FaultyStore::new(Memory::default()), ManualClock::new());
    let server = start(runner_on(store.clone(), &clock)).await;
    server.call(begin_with("pulse.beat", 10, 0)).await.unwrap();
    store.on_commit(0, Fault::Refuse);
    clock.advance(seconds(10));
    while server.stats().failed == 0 {
        tokio::task::yield_now().await;
    }
    assert!(beats(&server, 0).await.is_empty());
    assert_eq!(scheduled(&server).await, 1);
    clock.advance(seconds(1));
    assert_eq!(beats(&server, 1).await, [10]);
    clock.advance(seconds(9));
    assert_eq!(beats(&server, 2).await, [10, 20]);
}

#[timed_test::test]
async fn a_cancel_ends_a_schedule_whose_run_is_in_the_same_commit() {
    let (memory, clock) = (Memory::default(), ManualClock::new());
    let server = start(runner_on(memory.clone(), &clock)).await;
    let finish = |seconds| Once {
        key: "finish".to_owned(),
        what: "pulse.finish".to_owned(),
        seconds,
    };
    server.call(finish(10)).await.unwrap();
    server.call(begin_with("pulse.beat", 10, 0)).await.unwrap();
    let commits = server.stats().commits;
    clock.advance(seconds(10));
    assert_eq!(beats(&server, 1).await, [10]);
    assert_eq!(
        server.stats().commits,
        commits + 1,
        "not in the same commit"
    );
    assert_eq!(scheduled(&server).await, 0);
    kill(server).await;
    let server = start(runner_on(memory, &clock)).await;
    assert_eq!(scheduled(&server).await, 0);
}

#[timed_test::test]
async fn a_cancel_that_the_store_refuses_ends_nothing() {
    let (store, clock) = (FaultyStore::new(Memory::default()), ManualClock::new());
    let server = start(runner_on(store.clone(), &clock)).await;
    server.call(begin_with("pulse.slow", 10, 0)).await.unwrap();
    clock.advance(seconds(10));
    while server.stats().running == 0 {
        tokio::task::yield_now().await;
    }
    store.on_commit(0, Fault::Refuse);
    server.call(Finish {}).await.unwrap_err();
    // two intervals later, the run still goes on
    clock.advance(seconds(25));
    assert!(beats(&server, 0).await.is_empty());
    assert_eq!((server.stats().running, scheduled(&server).await), (1, 1));
    SLOW.add_permits(1);
    assert_eq!(beats(&server, 1).await, [10]);
    while server.stats().running == 0 {
        tokio::task::yield_now().await;
    }
    // and this cancel ends it while it runs
    server.call(Finish {}).await.unwrap();
    assert_eq!(scheduled(&server).await, 0);
    SLOW.add_permits(1);
    assert_eq!(beats(&server, 2).await, [10, 20]);
    clock.advance(seconds(100));
    assert_eq!(beats(&server, 2).await, [10, 20]);
    kill(server).await;
    let server = start(runner_on(store, &clock)).await;
    assert_eq!(server.recovery().directives, 0);
}

#[timed_test::test]
async fn an_interval_of_zero_is_refused() {
    let clock = ManualClock::new();
    let server = start(runner_on(Memory::default(), &clock)).await;
    let error = server
        .call(begin_with("pulse.beat", 0, 0))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the schedule of `pulse` cannot repeat: its interval is 0ns; write one of at least a millisecond, such as \
         `every(Duration::from_secs(60))`; nothing of the command was applied"
    );
    assert!(matches!(
        error,
        ServeError::Repeat {
            reason: RepeatError::Interval { .. },
            ..
        }
    ));
    assert_eq!(pulse(&server).await.calls, 0);
    // an interval without an end is no run
    let millis = u64::MAX;
    let what = "pulse.beat".to_owned();
    let endless = Begin {
        what,
        millis,
        missed: 1,
    };
    server.call(endless).await.unwrap();
    assert_eq!(scheduled(&server).await, 1);
    clock.advance(seconds(1 << 40));
    assert!(beats(&server, 0).await.is_empty());
}
