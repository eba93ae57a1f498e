//! Schedules that an agent declares: from the start on, over restarts, until a build no longer declares them.

use super::repeats::{Finish, Pulse, begin_with, scheduled, seconds};
use super::{kill, start};
use serde_json::json;
use skill_agent::directive::Repeat;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::store::{Memory, Store};
use skill_agent::testing::{Fault, FaultyStore, ManualClock};
use skill_agent::{SignalError, StartError};
use std::time::Duration;

const TEN: Duration = Duration::from_secs(10);
const ALWAYS: Repeat = every(TEN).missed(Missed::All);

mod earlier {
    use super::*;

    agent! {
        /// Has a pulse and a second schedule.
        pub struct Runner {
            name: "runner",
            skills: [Pulse],
            schedules: [
                ten = every(TEN) => "pulse.beat",
                hundred = every(Duration::from_secs(100)) => "pulse.fail",
            ],
        }
    }
}

mod later {
    use super::*;

    agent! {
        /// Has a different schedule of the same name, and a new one.
        pub struct Runner {
            name: "runner",
            skills: [Pulse],
            schedules: [ten = ALWAYS => "pulse.beat", never = every(Duration::MAX) => "pulse.beat"],
        }
    }
}

mod last {
    use super::*;

    agent! {
        /// Has no schedules.
        pub struct Runner {
            name: "runner",
            skills: [Pulse],
        }
    }
}

fn on<G: Agent>(agent: G, store: impl Store, clock: &ManualClock) -> AgentServerBuilder<G> {
    AgentServer::builder(agent)
        .store(store)
        .clock(clock.clone())
}

/// The beats, after a while.
async fn beats<G: Agent>(server: &AgentServer<G>, count: usize) -> Vec<u64> {
    let mut beats = Vec::new();
    let mut rounds = 0;
    while beats.len() < count || rounds < 20 {
        rounds += 1;
        let state = server.agent().await.unwrap().state_value().unwrap();
        beats = serde_json::from_value(state["pulse"]["beats"].clone()).unwrap();
        tokio::task::yield_now().await;
    }
    beats
}

#[timed_test::test]
async fn a_declared_schedule_keeps_its_next_run_over_a_restart() {
    let (memory, clock) = (Memory::default(), ManualClock::new());
    let server = start(on(
        earlier::Runner::with_id("runner-1"),
        memory.clone(),
        &clock,
    ))
    .await;
    assert_eq!(scheduled(&server).await, 2);
    clock.advance(seconds(7));
    kill(server).await;
    for _ in 0..2 {
        let server = start(on(
            earlier::Runner::with_id("runner-1"),
            memory.clone(),
            &clock,
        ))
        .await;
        assert_eq!(scheduled(&server).await, 2);
        kill(server).await;
    }
    let server = start(on(
        earlier::Runner::with_id("runner-1"),
        memory.clone(),
        &clock,
    ))
    .await;
    clock.advance(seconds(3));
    assert_eq!(beats(&server, 1).await, [10]);
    // no action can end it
    server
        .call(begin_with("pulse.beat", 1000, 0))
        .await
        .unwrap();
    server.call(Finish {}).await.unwrap();
    assert_eq!(scheduled(&server).await, 2);
    server.stop().await.unwrap();

    // the changed one begins anew, and the removed one ends
    let server = start(on(
        later::Runner::with_id("runner-1"),
        memory.clone(),
        &clock,
    ))
    .await;
    assert_eq!(scheduled(&server).await, 2);
    clock.advance(seconds(9));
    assert_eq!(beats(&server, 1).await, [10]);
    clock.advance(seconds(21));
    assert_eq!(beats(&server, 4).await, [10, 20, 30, 40]);
    assert_eq!(server.stats().failed, 0);
    kill(server).await;

    let server = start(on(
        last::Runner::with_id("runner-1"),
        memory.clone(),
        &clock,
    ))
    .await;
    assert_eq!(scheduled(&server).await, 0);
    kill(server).await;
    let server = start(on(last::Runner::with_id("runner-1"), memory, &clock)).await;
    assert_eq!(server.recovery().directives, 0);
    clock.advance(seconds(100));
    assert_eq!(beats(&server, 4).await, [10, 20, 30, 40]);
}

#[timed_test::test]
async fn a_start_that_fails_declares_nothing() {
    let (store, clock) = (FaultyStore::new(Memory::default()), ManualClock::new());
    store.on_compaction(0, Fault::Refuse);
    let failed = on(earlier::Runner::with_id("runner-1"), store.clone(), &clock).start();
    assert!(matches!(failed.await, Err(StartError::Store { .. })));
    let server = start(on(last::Runner::with_id("runner-1"), store, &clock)).await;
    assert_eq!(server.recovery().directives, 0);
    assert_eq!(scheduled(&server).await, 0);
}

#[timed_test::test]
async fn a_declared_schedule_runs_without_a_store_and_is_described() {
    let clock = ManualClock::new();
    let builder = AgentServer::builder(later::Runner::new()).clock(clock.clone());
    let server = start(builder).await;
    assert_eq!(scheduled(&server).await, 2);
    clock.advance(seconds(10));
    assert_eq!(beats(&server, 1).await, [10]);
    let described = later::Runner::describe();
    let rhythm = json!({ "every": { "secs": 10, "nanos": 0 } });
    assert_eq!(
        described["schedules"][0],
        json!({ "name": "ten", "repeat": { "rhythm": rhythm, "missed": "all" }, "signal": "pulse.beat" })
    );
    assert_eq!(last::Runner::describe()["schedules"], json!([]));
}

agent! {
    /// Declares a signal that nothing handles.
    pub struct Deaf {
        name: "deaf",
        skills: [Pulse],
        schedules: [ten = every(TEN) => "pulse.beats"],
    }
}

#[timed_test::test]
async fn a_schedule_whose_signal_nothing_handles_fails_the_start() {
    let error = AgentServer::builder(Deaf::new()).start().await.unwrap_err();
    assert_eq!(error.to_string(), "the schedule `ten` cannot be delivered");
    let StartError::Schedule { source, .. } = error else {
        panic!("{error:?}");
    };
    assert!(matches!(*source, SignalError::Unhandled { .. }));
    assert_eq!(
        source.to_string(),
        "signals of the type `pulse.beats` have no handler: no route of the agent `deaf` matches them, and no skill handles \
         them; did you mean `pulse.beat`?"
    );
}
