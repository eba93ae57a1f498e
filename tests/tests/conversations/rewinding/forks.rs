//! Conversations that begin with the history of others.

use super::desk::*;
use crate::support::json_of;
use skill_agent::chat::{ChatError, RewindError};
use skill_agent::store::Memory;

#[timed_test::test]
async fn a_fork_copies_the_history_and_not_the_state() {
    let store = Memory::default();
    let (server, chats) = open(store.clone()).await;
    say(&chats, "ann", ["note a", "note b", "note c"]).await;
    chats.fork("ann", 3, "ann/2").await.unwrap();
    assert_eq!(said(&chats, "ann/2").await, ["note a", "note b"]);
    assert_eq!(desk(&server).await.0, ["a", "b", "c"]);
    say(&chats, "ann/2", ["note d"]).await;
    let page = chats.get("ann/2").await.unwrap();
    assert_eq!((page.info.turns, page.info.last_turn), (3, Some(3)));
    assert_eq!(page.info.title, "note a");
    // its own turn can be taken back, and the copied ones cannot
    let error = chats.rewind("ann/2", 2).await.unwrap_err();
    assert!(matches!(error, RewindError::TooOld { .. }), "{error}");
    chats.rewind("ann/2", 3).await.unwrap();
    assert_eq!(chats.get("ann/2").await.unwrap().info.last_turn, None);
    chats.fork("ann/2", 2, "ann/3").await.unwrap();
    assert_eq!(said(&chats, "ann/3").await, ["note a"]);
    // the number after the last turn copies all
    chats.fork("ann", 4, "ann/4").await.unwrap();
    let (all, copied) = (
        chats.get("ann").await.unwrap(),
        chats.get("ann/4").await.unwrap(),
    );
    assert_eq!(json_of(&all.history), json_of(&copied.history));
    assert_eq!(all.turns, copied.turns);
    let error = chats.fork("ann", 1, "ann/2").await.unwrap_err();
    assert!(
        matches!(error, RewindError::Chat(ChatError::Exists(_))),
        "{error}"
    );
    server.stop().await.unwrap();
    let (_server, chats) = open(store).await;
    assert_eq!(chats.get("ann/4").await.unwrap().turns.len(), 3);
    let error = chats.rewind("ann/4", 3).await.unwrap_err();
    assert!(matches!(error, RewindError::TooOld { .. }), "{error}");
    chats.rewind("ann", 3).await.unwrap();
}

#[timed_test::test]
async fn a_fork_from_before_the_first_turn_is_empty() {
    let (_server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a"]).await;
    chats.fork("ann", 1, "bob").await.unwrap();
    say(&chats, "bob", ["note b"]).await;
    assert_eq!(said(&chats, "bob").await, ["note b"]);
}

#[timed_test::test]
async fn an_imported_conversation_has_no_turns_to_take_back() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a", "note b"]).await;
    let exported = chats.export("ann").await.unwrap();
    chats.import("bob", exported).await.unwrap();
    let page = chats.get("bob").await.unwrap();
    assert_eq!((page.info.turns, page.info.last_turn), (2, None));
    assert!(page.turns.is_empty());
    let error = chats.rewind("bob", 2).await.unwrap_err();
    assert!(matches!(error, RewindError::NoTurn { .. }), "{error}");
    say(&chats, "bob", ["note c"]).await;
    assert_eq!(chats.get("bob").await.unwrap().info.last_turn, Some(3));
    chats.rewind("bob", 3).await.unwrap();
    assert_eq!(said(&chats, "bob").await, ["note a", "note b"]);
    assert_eq!(desk(&server).await.0, ["a", "b"]);
    chats.fork("bob", 4, "eve").await.unwrap();
    assert_eq!(said(&chats, "eve").await, ["note a", "note b"]);
}
