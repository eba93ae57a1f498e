//! Messages that are sent with a key, so that they may be sent again.

use crate::support::*;
use skill_agent::chat::{Chat, ChatError, ConversationStatus, Conversations, Message, Scripted};
use skill_agent::store::Memory;
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;
use tokio::sync::{Semaphore, watch};

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
async fn a_message_that_is_sent_again_after_a_restart_begins_nothing() {
    let store = Memory::default();
    let model = Gated::new(noting("milk").text("1"));
    let (server, chats) = open(store.clone(), model.clone()).await;
    chats.start_with_key("ann", "k", "Milk.").await.unwrap();
    model.pass(1);
    model.asked(2).await;
    crash(server).await;

    let model = Gated::new(Scripted::new().text("1"));
    let (server, chats) = open(store.clone(), model.clone()).await;
    let error = chats.start_with_key("ann", "k", "Milk.").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the key `k` was used before in the conversation `ann`, and its turn was cut off; resume it"
    );
    // while the turn is resumed, the key stands for it
    let resumed = chats.resume("ann").await.unwrap();
    let again = chats.start_with_key("ann", "k", "Milk.").await.unwrap();
    model.pass(1);
    assert_eq!(wait(&resumed).await.text(), "1");
    assert_eq!(wait(&again).await.text(), "1");
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

/// The function of the program hangs while a message with a key begins its turn.
#[timed_test::test]
async fn a_message_whose_turn_cannot_begin_ends_all_that_repeat_it() {
    let server = serve(Memory::default(), "main").await;
    let toolbox = Toolbox::of(&server);
    let gate = Arc::new(Semaphore::new(0));
    let (asked, permits) = (watch::Sender::new(0), Arc::clone(&gate));
    let counts = asked.clone();
    let chats = Conversations::open(&server, move |_| {
        let (permits, counts) = (Arc::clone(&permits), counts.clone());
        let builder = Chat::builder(Scripted::new().text("1"), toolbox.clone());
        async move {
            counts.send_modify(|count| *count += 1);
            permits.acquire().await?.forget();
            Ok(builder)
        }
    })
    .await
    .unwrap();
    let start = |key: &'static str, text: &'static str| {
        let chats = chats.clone();
        tokio::spawn(async move { chats.start_with_key("ann", key, text).await.map(drop) })
    };
    let (first, second) = (start("k", "Milk."), start("k", "Milk."));
    asked
        .subscribe()
        .wait_for(|count| *count == 1)
        .await
        .unwrap();
    // another key does not wait
    let busy = start("k2", "Bread.").await.unwrap().unwrap_err();
    assert!(matches!(busy, ChatError::Busy { .. }), "{busy}");
    let other = start("k", "Bread.").await.unwrap().unwrap_err();
    assert!(matches!(other, ChatError::UsedKey { .. }), "{other}");
    chats.cancel("ann").await.unwrap();
    for ended in [first, second] {
        let error = ended.await.unwrap().unwrap_err();
        assert!(matches!(error, ChatError::Ended), "{error}");
    }
    gate.add_permits(1);
    let turn = chats.start_with_key("ann", "k", "Milk.").await.unwrap();
    assert_eq!(wait(&turn).await.text(), "1");
}

#[timed_test::test]
async fn the_key_of_a_message_that_cancel_returns_is_free() {
    let store = Memory::default();
    let model = Gated::new(Scripted::new().text("1").text("2"));
    let (server, chats) = open(store.clone(), model.clone()).await;
    chats.start("ann", "Hi.").await.unwrap();
    model.asked(1).await;
    chats.steer("ann", "Bread.").await.unwrap();
    crash(server).await;
    // the key's message waits behind an older one
    let model = Gated::new(Scripted::new().text("1"));
    let (server, chats) = open(store.clone(), model.clone()).await;
    chats.start_with_key("ann", "k", "Milk.").await.unwrap();
    model.asked(1).await;
    let returned = chats.cancel("ann").await.unwrap();
    assert!(
        texts(&returned).contains(&"Milk.".to_owned()),
        "{returned:?}"
    );
    crash(server).await;
    let (_server, chats) = open(store, Scripted::new().text("2")).await;
    let turn = chats.start_with_key("ann", "k", "Milk.").await.unwrap();
    assert_eq!(wait(&turn).await.text(), "2");
}

#[timed_test::test]
async fn a_deleted_conversation_has_no_keys() {
    let (_server, chats) = open(Memory::default(), Scripted::new().text("1").text("2")).await;
    wait(&chats.start_with_key("ann", "k", "Milk.").await.unwrap()).await;
    chats.delete("ann").await.unwrap();
    let turn = chats.start_with_key("ann", "k", "Milk.").await.unwrap();
    assert_eq!(wait(&turn).await.text(), "2");
}
