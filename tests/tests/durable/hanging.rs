//! A kill ends a server whose stop hangs.

use super::library_agent::*;
use super::manual_sink::ManualSink;
use super::{book_on, start};
use skill_agent::StopReason;
use skill_agent::child::{Restart, Shutdown};
use skill_agent::prelude::*;
use skill_agent::server::StopReport;
use skill_agent::store::{Memory, Store, StoreError};
use skill_agent::testing::{Fault, FaultyStore, ManualClock};
use std::time::Duration;
use tokio::task::JoinHandle;

const GRACE: Duration = Duration::from_secs(10);

fn stop(server: &AgentServer<Library>) -> JoinHandle<Result<StopReport, StopReason>> {
    let server = server.clone();
    tokio::spawn(async move { server.stop().await })
}

/// Waits until a stop goes on.
async fn turns() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

#[track_caller]
fn is_killed(stopped: Result<StopReport, StopReason>) {
    assert!(
        matches!(stopped, Err(StopReason::Killed)),
        "the stop returned {stopped:?}"
    );
}

listed_enum! {
    /// A write that hangs.
    enum Hanging {
        Commit,
        CommitOfStop,
        LastSnapshot,
    }
}

#[timed_test::test]
async fn a_kill_ends_a_stop_whose_store_hangs() {
    for &hanging in Hanging::ALL {
        let (store, clock) = (FaultyStore::new(Memory::default()), ManualClock::new());
        let server = start(book_on(store.clone()).clock(clock.clone()).grace(GRACE)).await;
        match hanging {
            Hanging::LastSnapshot => store.on_compaction(0, Fault::CrashBefore),
            _ => store.on_commit(0, Fault::CrashBefore),
        }
        let caller = server.clone();
        let call = tokio::spawn(async move { caller.call(Write { n: 1 }).await });
        if matches!(hanging, Hanging::Commit) {
            store.crashed().await;
        }
        let stopped = stop(&server);
        store.crashed().await;
        turns().await;
        assert!(!stopped.is_finished(), "{hanging:?}");
        server.kill();
        // The write has the grace period to end.
        clock.wait_for_sleepers(1).await;
        turns().await;
        assert!(!stopped.is_finished(), "{hanging:?}");
        clock.advance(GRACE);
        is_killed(stopped.await.unwrap());
        assert!(matches!(server.closed().await, StopReason::Killed));
        if !matches!(hanging, Hanging::LastSnapshot) {
            let error = call.await.unwrap().unwrap_err();
            assert!(matches!(error, ServeError::Stopped { .. }), "{error:?}");
        }
        // The write that was left behind keeps the log.
        let owned = store.open("lib-1").map(drop).unwrap_err();
        assert!(matches!(owned, StoreError::Owned { .. }), "{owned:?}");
        store.restart();
        while store.open("lib-1").is_err() {
            tokio::task::yield_now().await;
        }
    }
}

#[timed_test::test]
async fn a_kill_waits_for_a_write_that_ends() {
    let store = FaultyStore::new(Memory::default());
    let server = start(book_on(store.clone()).grace(Duration::ZERO)).await;
    let mut pause = store.pause_commit(0);
    let caller = server.clone();
    let call = tokio::spawn(async move { caller.call(Write { n: 1 }).await });
    pause.reached().await;
    server.kill();
    turns().await;
    pause.resume();
    assert!(matches!(server.closed().await, StopReason::Killed));
    assert!(call.await.unwrap().is_err());
    let server = start(book_on(store)).await;
    assert_eq!(server.call(Write { n: 2 }).await.unwrap(), 2);
}

#[timed_test::test]
async fn a_kill_ends_a_stop_that_waits_for_a_child_an_action_or_the_sink() {
    let hour = Duration::from_secs(3600);
    for hanging in ["child", "action", "sink"] {
        let deaf = ChildSpec::new("deaf", async |_: ChildContext| {
            std::future::pending::<()>().await;
            Ok(())
        });
        let deaf = deaf
            .restart(Restart::Temporary)
            .shutdown(Shutdown::After(hour));
        let (sink, listener) = ManualSink::new();
        let builder = book_on(Memory::default())
            .clock(ManualClock::new())
            .grace(hour)
            .signal_sink(sink);
        let builder = match hanging {
            "child" => builder.child(deaf),
            _ => builder,
        };
        let server = start(builder).await;
        let mut given = None;
        match hanging {
            "action" => {
                let signal = Signal::new("book.ponder", serde_json::json!({}));
                server.send(signal).await.unwrap();
                while server.stats().running == 0 {
                    tokio::task::yield_now().await;
                }
            }
            "sink" => {
                server.call(Publish { n: 1 }).await.unwrap();
                given = Some(listener.next().await);
            }
            _ => {}
        }
        let stopped = stop(&server);
        turns().await;
        assert!(!stopped.is_finished(), "{hanging}");
        server.kill();
        is_killed(stopped.await.unwrap());
        drop(given);
    }
}
