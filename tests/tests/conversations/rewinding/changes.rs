//! Skills that others have changed since.

use super::desk::*;
use serde_json::json;
use skill_agent::chat::RewindError;
use skill_agent::prelude::*;
use skill_agent::server::Verdict;
use skill_agent::server::clock::ManualClock;
use skill_agent::store::Memory;
use std::time::Duration;

fn changed(error: &RewindError) -> (&str, &str) {
    match error {
        RewindError::Changed { skill, by, .. } => (skill, by),
        other => panic!("{other}"),
    }
}

#[timed_test::test]
async fn two_conversations_of_one_agent_do_not_take_each_others_changes_back() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a1"]).await;
    say(&chats, "bob", ["note b1; count"]).await;
    // only `bob` has changed the tally
    let error = chats.rewind("ann", 1).await.unwrap_err();
    assert_eq!(
        changed(&error),
        ("notes", "the action `add_note` of the conversation `bob`")
    );
    assert_eq!(
        error.to_string(),
        "the state of `notes` was changed after a turn of the conversation `ann` had changed it, by the action `add_note` of \
         the conversation `bob`; `.force()` loses that change"
    );
    let preview = chats.preview_rewind("ann", 1).await.unwrap();
    assert_eq!(preview.refused.unwrap().to_string(), error.to_string());
    assert_eq!(desk(&server).await, (owned(["a1", "b1"]), 1));
    // in the reverse order, each takes its own back
    chats.rewind("bob", 1).await.unwrap();
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(desk(&server).await, (owned([]), 0));
    chats.redo("ann").await.unwrap();
    chats.redo("bob").await.unwrap();
    assert_eq!(desk(&server).await, (owned(["a1", "b1"]), 1));
}

#[timed_test::test]
async fn a_change_between_two_turns_is_found() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a1"]).await;
    say(&chats, "bob", ["note b1"]).await;
    say(&chats, "ann", ["note a2"]).await;
    let error = chats.rewind("ann", 1).await.unwrap_err();
    assert_eq!(
        changed(&error).1,
        "the action `add_note` of the conversation `bob`"
    );
    chats.rewind("ann", 2).await.unwrap();
    assert_eq!(desk(&server).await.0, ["a1", "b1"]);
    chats.rewind("ann", 1).force().await.unwrap();
    assert_eq!(desk(&server).await.0, owned([]));
    let error = chats.rewind("bob", 1).await.unwrap_err();
    assert_eq!(changed(&error).1, "`rewind` of the conversation `ann`");
    chats.redo("ann").await.unwrap();
    assert_eq!(desk(&server).await.0, ["a1", "b1"]);
}

#[timed_test::test]
async fn a_change_of_the_program_is_found_with_its_command() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a; count"]).await;
    let text = "p".to_owned();
    server.call(AddNote { text }).await.unwrap();
    let error = chats.rewind("ann", 1).await.unwrap_err();
    assert_eq!(changed(&error), ("notes", "the action `add_note`"));
    server
        .set(json!({ "notes": { "lines": ["s"] } }))
        .await
        .unwrap();
    let error = chats.rewind("ann", 1).await.unwrap_err();
    assert_eq!(changed(&error), ("notes", "`set`"));
    assert_eq!(desk(&server).await, (owned(["s"]), 1));
}

#[timed_test::test]
async fn a_state_that_is_the_same_again_is_no_change() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["count"]).await;
    server
        .set(json!({ "tally": { "count": 5 } }))
        .await
        .unwrap();
    let error = chats.rewind("ann", 1).await.unwrap_err();
    assert_eq!(changed(&error), ("tally", "`set`"));
    server
        .set(json!({ "tally": { "count": 1 } }))
        .await
        .unwrap();
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(desk(&server).await.1, 0);
}

#[timed_test::test]
async fn a_schedule_that_fires_is_a_change() {
    let clock = ManualClock::new();
    let server = serve_at(Memory::default(), clock.clone()).await;
    let chats = open_on(&server).await;
    say(&chats, "ann", ["remind a", "note b"]).await;
    clock.advance(Duration::from_secs(3600));
    crate::support::eventually(async || desk(&server).await.0.len() == 2).await;
    let preview = chats.preview_rewind("ann", 1).await.unwrap();
    let stays: Vec<_> = preview.stays.iter().map(ToString::to_string).collect();
    assert_eq!(
        stays,
        ["the scheduled signal `notes.reminded` was delivered, replaced or cancelled"]
    );
    let error = chats.rewind("ann", 1).await.unwrap_err();
    assert_eq!(changed(&error), ("notes", "the action `add_note`"));
    chats.rewind("ann", 1).force().await.unwrap();
    assert_eq!(desk(&server).await.0, owned([]));
}

#[timed_test::test]
async fn redo_is_refused_after_a_change_unless_it_is_forced() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a"]).await;
    chats.rewind("ann", 1).await.unwrap();
    let text = "p".to_owned();
    server.call(AddNote { text }).await.unwrap();
    let error = chats.redo("ann").await.unwrap_err();
    assert_eq!(changed(&error), ("notes", "the action `add_note`"));
    let preview = chats.preview_redo("ann").await.unwrap();
    assert!(matches!(preview.refused, Some(RewindError::Changed { .. })));
    assert_eq!(preview.states[0].then["lines"], json!(["a"]));
    assert_eq!(said(&chats, "ann").await, owned([]));
    chats.redo("ann").force().await.unwrap();
    assert_eq!(desk(&server).await.0, ["a"]);
    assert_eq!(said(&chats, "ann").await, ["note a"]);
}

#[timed_test::test]
async fn a_change_in_the_middle_of_a_turn_is_found() {
    let store = Memory::default();
    let (mut server, mut chats) = open(store.clone()).await;
    for restarts in [false, true] {
        let id = format!("ann/{restarts}");
        say(&chats, &id, ["note a; clear"]).await;
        say(&chats, "bob", ["note b"]).await;
        if restarts {
            server.stop().await.unwrap();
            (server, chats) = open(store.clone()).await;
        }
        let call = chats.get(&id).await.unwrap().pending[0].id.clone();
        let turn = chats.decide(&id, &call, Verdict::Approve).await.unwrap();
        turn.wait().await.unwrap();
        assert_eq!(desk(&server).await.0, owned([]));
        let error = chats.rewind(&id, 1).await.unwrap_err();
        let by = "the action `add_note` of the conversation `bob`";
        assert_eq!(changed(&error), ("notes", by));
        let preview = chats.preview_rewind(&id, 1).await.unwrap();
        assert_eq!(preview.refused.unwrap().to_string(), error.to_string());
        chats.rewind(&id, 1).force().await.unwrap();
    }
}

#[timed_test::test]
async fn a_change_in_the_middle_of_a_turn_that_was_taken_back_is_none() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a; clear"]).await;
    say(&chats, "bob", ["note b"]).await;
    chats.rewind("bob", 1).await.unwrap();
    let call = chats.get("ann").await.unwrap().pending[0].id.clone();
    let turn = chats.decide("ann", &call, Verdict::Approve).await.unwrap();
    turn.wait().await.unwrap();
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(desk(&server).await.0, owned([]));
    chats.redo("ann").await.unwrap();
    chats.rewind("ann", 1).await.unwrap();
}

#[timed_test::test]
async fn a_different_order_is_taken_back_too() {
    let (server, chats) = open(Memory::default()).await;
    let pair = async || server.agent().await.unwrap().state().tally.pair.clone();
    say(&chats, "ann", ["swap", "swap"]).await;
    assert_eq!(pair().await, [2, 1]);
    chats.rewind("ann", 2).await.unwrap();
    assert_eq!(pair().await, [1, 2]);
    chats.redo("ann").await.unwrap();
    assert_eq!(pair().await, [2, 1]);
}

#[timed_test::test]
async fn a_turn_whose_work_still_runs_is_not_taken_back() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a", "later b", "count"]).await;
    let error = chats.rewind("ann", 2).force().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "a turn of the conversation `ann` queued the action `ponder`, and that still runs; try again after its end"
    );
    let preview = chats.preview_rewind("ann", 1).await.unwrap();
    assert!(matches!(preview.refused, Some(RewindError::Running { .. })));
    // a later turn has no such work
    chats.rewind("ann", 3).await.unwrap();
    PONDERED.add_permits(1);
    crate::support::eventually(async || desk(&server).await.0 == ["a", "b"]).await;
    chats.rewind("ann", 2).await.unwrap();
    assert_eq!(desk(&server).await.0, ["a"]);
}

#[timed_test::test]
async fn a_signal_with_the_same_key_is_not_replaced_silently() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "bob", ["ring b"]).await;
    say(&chats, "ann", ["ring a; ring c"]).await;
    let preview = chats.preview_rewind("ann", 1).await.unwrap();
    let stays: Vec<_> = preview.stays.iter().map(ToString::to_string).collect();
    let one = "the signal scheduled under `notes.ring` was replaced or cancelled";
    let other = "the scheduled signal `notes.reminded` was delivered, replaced or cancelled";
    assert_eq!(stays, [one, other]);
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(server.stats().scheduled, 0);
    let text = "p".to_owned();
    server.call(Ring { text }).await.unwrap();
    let error = chats.redo("ann").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "a signal was scheduled under the key `notes.ring` since turns of the conversation `ann` were taken back; `.force()` \
         replaces it"
    );
    let preview = chats.preview_redo("ann").await.unwrap();
    assert!(matches!(
        preview.refused,
        Some(RewindError::Scheduled { .. })
    ));
    chats.redo("ann").force().await.unwrap();
    assert_eq!(server.stats().scheduled, 1);
}

#[timed_test::test]
async fn work_that_an_action_without_changes_queued_is_taken_back() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["count", "glance"]).await;
    crate::support::eventually(async || desk(&server).await.1 == 2).await;
    chats.rewind("ann", 2).await.unwrap();
    assert_eq!(desk(&server).await.1, 1);
}
