//! Messages that are sent with a key, so that they may be sent again.

use crate::support::*;
use skill_agent::chat::{ChatError, ConversationStatus, Message, Scripted};
use skill_agent::store::Memory;

fn said(history: &[Message]) -> usize {
    history
        .iter()
        .filter(|message| message.is_of_user())
        .count()
}

#[timed_test::test]
async fn a_message_that_is_sent_twice_begins_one_turn() {
    let model = Gated::new(noting("milk").text("1").text("2"));
    let (server, chats) = open(Memory::default(), model.clone()).await;
    let (first, second) = tokio::join!(
        chats.start_with_key("ann", "k1", "Milk."),
        chats.start_with_key("ann", "k1", "Milk."),
    );
    let third = chats.start_with_key("ann", "k1", "Milk.").await.unwrap();
    let error = chats
        .start_with_key("ann", "k2", "Bread.")
        .await
        .unwrap_err();
    assert!(matches!(error, ChatError::Busy { .. }), "{error}");
    model.pass(2);
    for turn in [first.unwrap(), second.unwrap(), third] {
        assert_eq!(wait(&turn).await.text(), "1");
    }
    // also after the end
    let again = chats.start_with_key("ann", "k1", "Milk.").await.unwrap();
    assert_eq!(wait(&again).await.text(), "1");
    assert_eq!(lines(&server).await, ["milk"]);
    // the message that was refused
    model.pass(1);
    let next = chats.start_with_key("ann", "k2", "Bread.").await.unwrap();
    assert_eq!(wait(&next).await.text(), "2");
    let page = chats.get("ann").await.unwrap();
    assert_eq!((said(&page.history), page.info.turns), (2, 2));
    // the turn of an earlier key is no longer at hand
    let error = chats
        .start_with_key("ann", "k1", "Milk.")
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the key `k1` was used before in the conversation `ann`, and its turn has ended; read the history"
    );
    // the keys of another conversation are others
    model.pass(1);
    assert!(chats.start_with_key("bob", "k1", "Milk.").await.is_ok());
}

#[timed_test::test]
async fn a_key_belongs_to_one_message() {
    let (_server, chats) = open(Memory::default(), Scripted::new().text("1").text("2")).await;
    chats
        .start_with_key("ann", "k", "Milk.")
        .await
        .unwrap()
        .wait()
        .await
        .unwrap();
    let error = chats
        .start_with_key("ann", "k", "Bread.")
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the key `k` was used before in the conversation `ann`, for a different message; each message needs its own key"
    );
    let error = chats.start_with_key("ann", "", "Bread.").await.unwrap_err();
    assert!(matches!(error, ChatError::EmptyKey), "{error}");
    let error = chats.start_with_key("cat", "", "Bread.").await.unwrap_err();
    assert!(matches!(error, ChatError::EmptyKey), "{error}");
    assert!(chats.get("cat").await.is_err());
    assert_eq!(said(&chats.get("ann").await.unwrap().history), 1);
}

#[timed_test::test]
async fn a_message_that_could_not_be_recorded_may_be_sent_again() {
    let model = Gated::new(Scripted::new().text("1").text("2"));
    let (_server, chats) = open(Memory::default(), model.clone()).await;
    let running = chats.start("ann", "Hi.").await.unwrap();
    for _ in 0..2 {
        let error = chats.start_with_key("ann", "k", "Milk.").await.unwrap_err();
        assert!(matches!(error, ChatError::Busy { .. }), "{error}");
    }
    model.pass(2);
    wait(&running).await;
    let turn = chats.start_with_key("ann", "k", "Milk.").await.unwrap();
    assert_eq!(wait(&turn).await.text(), "2");
}

#[timed_test::test]
async fn a_message_that_is_sent_again_after_a_restart_continues_its_turn() {
    let store = Memory::default();
    let model = Gated::new(noting("milk").text("1"));
    let (server, chats) = open(store.clone(), model.clone()).await;
    chats.start_with_key("ann", "k", "Milk.").await.unwrap();
    model.pass(1);
    model.asked(2).await;
    crash(server).await;

    let (server, chats) = open(store.clone(), Scripted::new().text("1")).await;
    for _ in 0..2 {
        let turn = chats.start_with_key("ann", "k", "Milk.").await.unwrap();
        assert_eq!(wait(&turn).await.text(), "1");
    }
    assert_eq!(lines(&server).await, ["milk"]);
    assert_eq!(said(&chats.get("ann").await.unwrap().history), 1);
    crash(server).await;

    let (server, chats) = open(store, Scripted::new()).await;
    let error = chats.start_with_key("ann", "k", "Milk.").await.unwrap_err();
    assert!(matches!(error, ChatError::UsedKey { .. }), "{error}");
    let status = chats.get("ann").await.unwrap().info.status;
    assert_eq!(status, ConversationStatus::Idle);
    assert_eq!(lines(&server).await, ["milk"]);
}

#[timed_test::test]
async fn the_last_sixteen_keys_are_known() {
    let mut model = Scripted::new();
    for _ in 0..18 {
        model = model.text("1");
    }
    let store = Memory::default();
    let (server, chats) = open(store.clone(), model).await;
    for number in 0..17 {
        let turn = chats
            .start_with_key("ann", format!("k{number}"), "Hi.")
            .await;
        wait(&turn.unwrap()).await;
    }
    crash(server).await;
    let (_server, chats) = open(store, Scripted::new().text("1")).await;
    for number in 1..17 {
        let known = chats
            .start_with_key("ann", format!("k{number}"), "Hi.")
            .await;
        assert!(matches!(known, Err(ChatError::UsedKey { .. })), "{number}");
    }
    assert!(chats.start_with_key("ann", "k0", "Hi.").await.is_ok());
}
