//! Schedules and approvals that still wait, and turns that were cut off.

use super::desk::*;
use crate::support::{eventually, results};
use skill_agent::chat::{ConversationStatus, RewindError};
use skill_agent::server::clock::ManualClock;
use skill_agent::server::{ServeError, Verdict};
use skill_agent::store::Memory;
use skill_agent::testing::{Fault, FaultyStore};
use std::time::Duration;

#[timed_test::test]
async fn a_schedule_that_waits_is_withdrawn_and_brought_back() {
    let clock = ManualClock::new();
    let store = Memory::default();
    for restarts in [false, true] {
        let mut server = serve_at(store.clone(), clock.clone()).await;
        let mut chats = open_on(&server).await;
        let id = format!("ann/{restarts}");
        say(&chats, &id, ["remind a"]).await;
        for _ in 0..2 {
            assert_eq!(server.stats().scheduled, 1);
            chats.rewind(&id, 1).await.unwrap();
            assert_eq!(server.stats().scheduled, 0);
            if restarts {
                drop(chats);
                crate::support::eventually(async || server.stats().scheduled == 0).await;
                server.kill();
                server.closed().await;
                server = serve_at(store.clone(), clock.clone()).await;
                chats = open_on(&server).await;
            }
            assert_eq!(server.stats().scheduled, 0);
            chats.redo(&id).await.unwrap();
            eventually(async || server.stats().scheduled == 1).await;
        }
        let before = desk(&server).await.0.len();
        clock.advance(Duration::from_secs(3599));
        assert_eq!(desk(&server).await.0.len(), before);
        clock.advance(Duration::from_secs(2));
        eventually(async || desk(&server).await.0.len() == before + 1).await;
        server.stop().await.unwrap();
    }
}

#[timed_test::test]
async fn a_schedule_that_repeats_is_withdrawn_after_its_first_run_and_brought_back() {
    let (clock, store) = (ManualClock::new(), Memory::default());
    let hour = Duration::from_secs(3600);
    let mut server = serve_at(store.clone(), clock.clone()).await;
    let mut chats = open_on(&server).await;
    say(&chats, "ann", ["chime a"]).await;
    clock.advance(hour);
    eventually(async || desk(&server).await.0 == ["a"]).await;
    let preview = chats.preview_rewind("ann", 1).await.unwrap();
    assert!(preview.stays.is_empty(), "{:?}", preview.stays);
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(server.stats().scheduled, 0);
    drop(chats);
    server.kill();
    server.closed().await;
    server = serve_at(store.clone(), clock.clone()).await;
    chats = open_on(&server).await;
    clock.advance(2 * hour);
    // the turn did not write the note, and later runs do not take place
    assert_eq!(desk(&server).await.0, ["a"]);
    assert_eq!(server.stats().scheduled, 0);
    // the runs that it missed take place once, and the later ones at their times
    chats.redo("ann").await.unwrap();
    eventually(async || desk(&server).await.0 == ["a", "a"]).await;
    clock.advance(hour);
    eventually(async || desk(&server).await.0 == ["a", "a", "a"]).await;
    assert_eq!(server.stats().scheduled, 1);
    // the mark of the turn follows the schedule
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(server.stats().scheduled, 0);
    assert_eq!(desk(&server).await.0.len(), 3);
}

#[timed_test::test]
async fn an_open_approval_is_withdrawn_and_brought_back() {
    let store = Memory::default();
    let (server, chats) = open(store.clone()).await;
    say(&chats, "ann", ["note a", "clear"]).await;
    let request = chats.get("ann").await.unwrap().pending[0].request.clone();
    chats.rewind("ann", 2).await.unwrap();
    let page = chats.get("ann").await.unwrap();
    assert_eq!(page.info.status, ConversationStatus::Idle);
    assert!(page.pending.is_empty());
    // a program that still has the request cannot approve it
    let error = server
        .decide(request.clone(), Verdict::Approve)
        .await
        .unwrap_err();
    assert!(matches!(error, ServeError::Denied { .. }), "{error}");
    assert!(error.to_string().contains("taken back"), "{error}");
    assert_eq!(desk(&server).await.0, ["a"]);
    server.stop().await.unwrap();
    let (server, chats) = open(store).await;
    server.decide(request, Verdict::Approve).await.unwrap_err();
    chats.redo("ann").await.unwrap();
    let page = chats.get("ann").await.unwrap();
    assert_eq!(page.info.status, ConversationStatus::Waiting);
    let turn = chats
        .decide("ann", &page.pending[0].id, Verdict::Approve)
        .await
        .unwrap();
    turn.wait().await.unwrap();
    assert_eq!(desk(&server).await.0, owned([]));
    chats.rewind("ann", 2).await.unwrap();
    assert_eq!(desk(&server).await.0, ["a"]);
}

#[timed_test::test]
async fn queued_messages_leave_with_the_turns_and_come_back() {
    let (_server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a", "clear"]).await;
    chats.steer("ann", "note b").await.unwrap();
    let rewound = chats.rewind("ann", 2).await.unwrap();
    assert_eq!(rewound.queued[0].text(), "note b");
    assert!(chats.get("ann").await.unwrap().queued.is_empty());
    chats.redo("ann").await.unwrap();
    let page = chats.get("ann").await.unwrap();
    assert_eq!(page.queued[0].text(), "note b");
    assert_eq!(page.info.status, ConversationStatus::Waiting);
}

#[timed_test::test]
async fn a_turn_that_was_cut_off_is_taken_back_and_can_be_resumed_after_redo() {
    let store = Memory::default();
    let faulty = FaultyStore::new(store.clone());
    let (server, chats) = open(faulty.clone()).await;
    say(&chats, "ann", ["note a"]).await;
    faulty.on_commit(3, Fault::CrashBefore); // the message, the completion, the first call
    let _running = chats.start("ann", "note b; note c").await.unwrap();
    faulty.crashed().await;
    server.kill();
    faulty.restart();
    server.closed().await;
    let (server, chats) = open(faulty).await;
    assert_eq!(desk(&server).await.0, ["a", "b"]);
    chats.rewind("ann", 2).await.unwrap();
    assert_eq!(desk(&server).await.0, ["a"]);
    let page = chats.get("ann").await.unwrap();
    assert_eq!(page.info.status, ConversationStatus::Idle);
    chats.redo("ann").await.unwrap();
    assert_eq!(desk(&server).await.0, ["a", "b"]);
    chats.resume("ann").await.unwrap().wait().await.unwrap();
    assert_eq!(desk(&server).await.0, ["a", "b", "c"]);
    assert_eq!(
        results(&chats.get("ann").await.unwrap().history),
        ["1", "2", "3"]
    );
    chats.rewind("ann", 2).await.unwrap();
    assert_eq!(desk(&server).await.0, ["a"]);
    // an action with the same call id runs again
    say(&chats, "ann", ["note b; note c"]).await;
    assert_eq!(desk(&server).await.0, ["a", "b", "c"]);
}

#[timed_test::test]
async fn nothing_is_taken_back_while_a_turn_runs() {
    use crate::support::Gated;
    use skill_agent::chat::{Chat, Conversations, Scripted};
    use skill_agent::toolbox::Toolbox;
    let server = serve(Memory::default()).await;
    let toolbox = Toolbox::of(&server);
    let model = Gated::new(Scripted::new().text("1").text("2"));
    let of_chat = model.clone();
    let build = move |_| Chat::builder(of_chat.clone(), toolbox.clone());
    let chats = Conversations::open(&server, build).await.unwrap();
    let running = chats.start("ann", "Hi.").await.unwrap();
    model.asked(1).await;
    let error = chats.rewind("ann", 1).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "a turn of the conversation `ann` is running; wait for its end, or end it with `cancel`"
    );
    assert!(matches!(
        chats.redo("ann").await.unwrap_err(),
        RewindError::Busy { .. }
    ));
    let error = chats.fork("ann", 1, "bob").await.unwrap_err();
    assert!(matches!(error, RewindError::Busy { .. }), "{error}");
    let preview = chats.preview_rewind("ann", 1).await.unwrap();
    assert!(matches!(preview.refused, Some(RewindError::Busy { .. })));
    model.pass(1);
    running.wait().await.unwrap();
    chats.rewind("ann", 1).await.unwrap();
}
