//! Bounds, ids, imports, and chats that are idle.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{Chat, ChatError, ConversationStatus, Conversations, Scripted};
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[timed_test::test]
async fn a_server_has_one_owner_of_its_conversations() {
    let server = AgentServer::builder(Assistant::with_id("main"));
    let server = server.start().await.unwrap();
    let toolbox = Toolbox::of(&server);
    let open = Conversations::open(&server, move |_| {
        Chat::builder(Scripted::new(), toolbox.clone())
    });
    let error = open.await.unwrap_err().to_string();
    assert!(
        error.contains("conversations need a server with a store"),
        "{error}"
    );

    let server = serve(Memory::default(), "main").await;
    let model = Gated::new(Scripted::new().text("1"));
    let chats = open_on(&server, model.clone()).await;
    let toolbox = Toolbox::of(&server);
    let again = || {
        let toolbox = toolbox.clone();
        Conversations::open(&server, move |_| {
            Chat::builder(Scripted::new(), toolbox.clone())
        })
    };
    let error = again().await.unwrap_err().to_string();
    assert!(error.contains("already open"), "{error}");
    // a turn goes on, and writes its rows, after the last handle is gone
    let running = chats.start("ann", "Hi.").await.unwrap();
    drop(chats);
    assert!(matches!(again().await, Err(ChatError::Setting(_))));
    model.pass(1);
    assert_eq!(wait(&running).await.text(), "1");
    drop(running);
    eventually(async || again().await.is_ok()).await;
    let error = again().running(0).await.unwrap_err().to_string();
    assert_eq!(error, "`running(0)` lets no turn run; write at least 1");
}

#[timed_test::test]
async fn a_conversation_that_is_full_keeps_the_results_of_its_calls() {
    let server = serve(Memory::default(), "main").await;
    let text = "x".repeat(800);
    let many = Scripted::new()
        .calls([
            ("add_note", json!({ "text": text })),
            ("list_notes", json!({})),
        ])
        .text("1")
        .text("2");
    let toolbox = Toolbox::of(&server);
    let build = move |_| Chat::builder(many.clone(), toolbox.clone());
    let chats = Conversations::open(&server, build)
        .max_bytes(2_000)
        .max_conversations(2);
    let chats = chats.await.unwrap();
    let error = chats.send("ann", "Notes.").await.unwrap_err();
    assert!(
        matches!(&*error, ChatError::Limit(text) if text.contains("2000 bytes")),
        "{error}"
    );
    let page = chats.get("ann").await.unwrap();
    assert_eq!(page.history.len(), 3);
    assert_eq!(
        results(&page.history),
        ["1".to_owned(), format!("[\"{text}\"]")]
    );
    let error = chats.start("ann", "More.").await.unwrap_err();
    assert!(matches!(error, ChatError::Limit(_)), "{error}");
    chats.send("bob", "Hi.").await.unwrap();
    let error = chats.start("cat", "Hi.").await.unwrap_err().to_string();
    assert_eq!(
        error,
        "there are 2 conversations, and no room for `cat`; delete some, or raise `max_conversations`"
    );
    chats.delete("ann").await.unwrap();
    chats.send("cat", "Hi.").await.unwrap_err(); // the script is over
    assert_eq!(chats.list("").await.unwrap().len(), 2);
}

#[timed_test::test]
async fn exports_and_histories_are_imported_and_nonsense_is_not() {
    let model = noting("milk")
        .text("Noted.")
        .calls([("clear_notes", json!({}))]);
    let (server, chats) = open(Memory::default(), model).await;
    chats.send("ann", "Milk.").await.unwrap();
    chats.rename("ann", "Shopping").await.unwrap();
    chats.send("ann", "Clear.").await.unwrap();
    let exported = chats.export("ann").await.unwrap();
    chats.import("bob", &exported).await.unwrap();
    let (ann, bob) = (
        chats.get("ann").await.unwrap(),
        chats.get("bob").await.unwrap(),
    );
    assert_eq!(json_of(&bob.history), json_of(&ann.history));
    assert_eq!((bob.info.title, bob.info.turns), ("Shopping".into(), 2));
    assert_eq!(
        (bob.info.status, bob.info.began),
        (ConversationStatus::Waiting, ann.info.began)
    );
    let mut chat = Chat::builder(noting("eggs").text("Noted."), Toolbox::of(&server))
        .build()
        .unwrap();
    chat.send("Eggs.").await.unwrap();
    let history = serde_json::to_string(chat.history()).unwrap();
    chats.import("cat", &history).await.unwrap();
    let cat = chats.get("cat").await.unwrap();
    assert_eq!(json_of(&cat.history), json_of(chat.history()));
    assert_eq!((cat.info.title, cat.info.turns), ("Eggs.".into(), 1));
    let error = chats.import("cat", &history).await.unwrap_err();
    assert!(matches!(error, ChatError::Exists(_)), "{error}");
    let newer = exported.replacen("\"form\":1", "\"form\":7", 1);
    let cut = json_of(&chat.history()[..2]).to_string();
    for (json, problem) in [
        ("", "EOF"),
        ("{}", "missing field"),
        ("[1]", "invalid type"),
        ("nonsense", "expected ident"),
        (
            newer.as_str(),
            "it has form 7, and this build reads up to form 2; a newer build wrote it",
        ),
        (cut.as_str(), "its calls need their results"),
    ] {
        let error = chats.import("dan", json).await.unwrap_err();
        assert!(error.to_string().contains(problem), "{json}: {error}");
    }
    assert_eq!(chats.list("").await.unwrap().len(), 3);
    chats.import("dan", "[]").await.unwrap();
    assert_eq!(
        chats.get("dan").await.unwrap().info.status,
        ConversationStatus::Idle
    );
}

#[timed_test::test]
async fn an_id_may_have_any_characters() {
    let store = Memory::default();
    let mut model = Scripted::new();
    let ids = [
        "ann/1",
        "ann/10",
        "\0",
        "/",
        "ä\u{10ffff}",
        " ",
        "a\nb",
        "%",
        &"x".repeat(1024),
    ];
    for id in ids {
        model = model.text(id);
    }
    let (server, chats) = open(store.clone(), model).await;
    for id in ids {
        assert_eq!(chats.send(id, "Hi.").await.unwrap().text(), id);
    }
    for id in [String::new(), "x".repeat(1025)] {
        let error = chats.start(id, "Hi.").await.unwrap_err();
        assert!(matches!(error, ChatError::Limit(_)), "{error}");
    }
    server.stop().await.unwrap();
    let (_server, chats) = open(store, Scripted::new()).await;
    for id in ids {
        assert_eq!(texts(&chats.get(id).await.unwrap().history)[1], id);
    }
    assert_eq!(chats.list("ann/").await.unwrap().len(), 2);
    assert_eq!(chats.list("").await.unwrap().len(), ids.len());
}

#[timed_test::test(threads = 2)]
async fn an_idle_chat_is_dropped_and_its_agent_stops_and_starts_again() {
    let store = Memory::default();
    let keeper = serve(store.clone(), "keeper").await;
    let (agents, built) = (store.clone(), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&built);
    let chats = Conversations::open(&keeper, move |id| {
        count.fetch_add(1, Ordering::SeqCst);
        let agent = AgentServer::builder(Assistant::with_id(id)).store(agents.clone());
        async {
            let toolbox = Toolbox::of(&agent.start().await?);
            Ok(Chat::builder(Noting, toolbox))
        }
    });
    let chats = chats.idle_after(Duration::from_millis(1)).await.unwrap();
    for turn in 1..=20 {
        let ended = chats.send("ann", "Milk.").await.unwrap();
        let count = ended.calls[0].result.as_ref().unwrap();
        assert_eq!(count.text(), turn.to_string());
        let before = built.load(Ordering::SeqCst);
        // chats are dropped meanwhile, also while the next turn begins
        tokio::time::sleep(Duration::from_millis(turn % 5)).await;
        assert_eq!(chats.list("").await.unwrap()[0].turns, turn);
        assert_eq!(built.load(Ordering::SeqCst), before);
    }
    assert!(built.load(Ordering::SeqCst) > 1);
    // a reader keeps the chat
    let reader = chats.follow("ann", None).unwrap();
    chats.send("ann", "Milk.").await.unwrap();
    let before = built.load(Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(20)).await;
    chats.send("ann", "Milk.").await.unwrap();
    assert_eq!(built.load(Ordering::SeqCst), before);
    drop(reader);
}
