//! A process that ends in a rewind or in redo. Afterwards everything is as before, or as after.

use super::desk::*;
use crate::support::json_of;
use serde_json::Value;
use skill_agent::chat::Conversations;
use skill_agent::prelude::*;
use skill_agent::server::clock::ManualClock;
use skill_agent::store::Memory;
use skill_agent::testing::{Fault, FaultyStore};

/// Everything that a rewind changes.
type Seen = ((Vec<String>, u64), Value, Option<u64>, u64, bool);

async fn seen(server: &AgentServer<Desk>, chats: &Conversations) -> Seen {
    let page = chats.get("ann").await.unwrap();
    let has_redo = chats.preview_redo("ann").await.is_ok();
    (
        desk(server).await,
        json_of(&page.history),
        page.info.last_turn,
        server.stats().scheduled,
        has_redo,
    )
}

async fn begin(store: &FaultyStore) -> (AgentServer<Desk>, Conversations) {
    let server = serve_at(store.clone(), ManualClock::new()).await;
    let chats = open_on(&server).await;
    (server, chats)
}

#[timed_test::test]
async fn a_kill_in_a_rewind_or_in_redo_leaves_the_old_or_the_new_state() {
    for redoes in [false, true] {
        for fault in [Fault::CrashBefore, Fault::CrashAfter, Fault::Refuse] {
            let store = FaultyStore::new(Memory::default());
            let (server, chats) = begin(&store).await;
            say(
                &chats,
                "ann",
                ["note a; count", "note b; remind c", "count; clear"],
            )
            .await;
            if redoes {
                chats.rewind("ann", 2).await.unwrap();
            }
            let old = seen(&server, &chats).await;
            let commits = store.commits().len();
            let step = || {
                if redoes {
                    chats.redo("ann")
                } else {
                    chats.rewind("ann", 2)
                }
            };
            store.on_commit(0, fault);
            if fault == Fault::Refuse {
                step().await.unwrap_err();
                assert_eq!(seen(&server, &chats).await, old);
                step().await.unwrap();
                continue;
            }
            let stepping = tokio::spawn(step().into_future());
            store.crashed().await;
            server.kill();
            store.restart();
            server.closed().await;
            stepping.await.unwrap().unwrap_err();
            // one commit does everything
            assert_eq!(store.commits().len(), commits + 1);
            drop(chats);
            let (server, chats) = begin(&store).await;
            let is_done = fault == Fault::CrashAfter;
            let new = seen(&server, &chats).await;
            assert_eq!(new == old, !is_done, "redo: {redoes}, {fault:?}");
            let went_back = redoes != is_done;
            let lines = if went_back {
                owned(["a"])
            } else {
                owned(["a", "b"])
            };
            let count = if went_back { 1 } else { 2 };
            assert_eq!(new.0, (lines, count));
            assert_eq!(
                (new.2, new.3),
                if went_back {
                    (Some(1), 0)
                } else {
                    (Some(3), 1)
                }
            );
            assert_eq!(new.4, went_back);
            // and everything goes on
            if went_back {
                chats.redo("ann").await.unwrap();
            }
            chats.rewind("ann", 2).await.unwrap();
            say(&chats, "ann", ["note b"]).await;
            assert_eq!(desk(&server).await, (owned(["a", "b"]), 1));
        }
    }
}

#[timed_test::test]
async fn a_kill_before_any_read_of_a_rewind_changes_nothing() {
    let mut reads = 0;
    loop {
        let store = FaultyStore::new(Memory::default());
        let (server, chats) = begin(&store).await;
        say(&chats, "ann", ["note a; count", "note b; count"]).await;
        server.kill();
        server.closed().await;
        drop(chats);
        let (server, chats) = begin(&store).await;
        store.on_read(reads, Fault::Refuse);
        match chats.rewind("ann", 1).await {
            Ok(_) if reads > 3 => break,
            Ok(_) => panic!("there are only {reads} reads"),
            Err(_) => {
                assert_eq!(desk(&server).await, (owned(["a", "b"]), 2));
                assert_eq!(said(&chats, "ann").await.len(), 2);
            }
        }
        reads += 1;
    }
}
