//! How many turns and bytes are kept.

use super::desk::*;
use skill_agent::chat::RewindError;
use skill_agent::store::{Memory, Store};

async fn rows(store: &Memory, table: &str) -> usize {
    let mut log = store.open("desk-1").unwrap();
    log.recover().await.unwrap();
    log.scan(table, b"", 1_000).await.unwrap().len()
}

#[timed_test::test]
async fn the_last_fifty_turns_can_be_taken_back() {
    let store = Memory::default();
    let (server, chats) = open(store.clone()).await;
    for _ in 0..53 {
        say(&chats, "ann", ["count"]).await;
    }
    let error = chats.rewind("ann", 3).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the states from before turn 3 of the conversation `ann` are no longer kept: a conversation keeps its last 50 turns, at most \
         16 MiB, while the schemas of the skills stay the same; copy the history from before the turn with `fork`"
    );
    chats.rewind("ann", 4).await.unwrap();
    assert_eq!(desk(&server).await.1, 3);
    chats.redo("ann").await.unwrap();
    assert_eq!(desk(&server).await.1, 53);
    server.stop().await.unwrap();
    assert_eq!(rows(&store, "turn_states").await, 50);
    let (server, chats) = open(store.clone()).await;
    let error = chats.rewind("ann", 3).await.unwrap_err();
    assert!(matches!(error, RewindError::TooOld { .. }), "{error}");
    chats.rewind("ann", 4).await.unwrap();
    chats.delete("ann").await.unwrap();
    server.stop().await.unwrap();
    assert_eq!(rows(&store, "turn_states").await, 0);
    assert_eq!(rows(&store, "turn_marks").await, 0);
}

#[timed_test::test]
async fn sixteen_mebibytes_of_states_are_kept() {
    let store = Memory::default();
    let (server, chats) = open(store.clone()).await;
    // the state before turn n has about 6 MiB, except before the first
    let fill = format!("fill {}", 6 << 20);
    say(&chats, "ann", [&*fill, "note b", "note c"]).await;
    assert_eq!(
        chats.preview_rewind("ann", 1).await.unwrap().states.len(),
        1
    );
    say(&chats, "ann", ["note d"]).await;
    let refused = chats.preview_rewind("ann", 2).await.unwrap().refused;
    assert!(
        matches!(refused, Some(RewindError::TooOld { .. })),
        "{refused:?}"
    );
    server.stop().await.unwrap();
    let (server, chats) = open(store).await;
    let error = chats.rewind("ann", 2).await.unwrap_err();
    assert!(matches!(error, RewindError::TooOld { .. }), "{error}");
    chats.rewind("ann", 3).await.unwrap();
    assert_eq!(desk(&server).await.0.len(), 2);
}

#[timed_test::test]
async fn callers_without_a_conversation_write_no_row() {
    let store = Memory::default();
    let (server, chats) = open(store.clone()).await;
    say(&chats, "ann", ["note a"]).await;
    for text in ["b", "c"] {
        let text = text.to_owned();
        server.call(AddNote { text }).await.unwrap();
    }
    server.kill();
    server.closed().await;
    assert_eq!(rows(&store, "turn_states").await, 1);
    assert_eq!(rows(&store, "turn_marks").await, 1);
    assert_eq!(rows(&store, "turn_changers").await, 0);
}
