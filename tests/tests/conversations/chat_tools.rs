//! Durable conversations whose model calls a chat.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{
    Chat, ChatError, ConversationStatus, Conversations, Message, Scripted, chat_tool,
};
use skill_agent::prelude::*;
use skill_agent::server::Applied;
use skill_agent::store::Memory;
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Opens conversations whose model calls a chat of its own, which fails to be built while `fails` is set.
async fn opened(
    server: &AgentServer<Assistant>,
    model: Scripted,
    inner: Gated,
    fails: &Arc<AtomicBool>,
) -> Conversations {
    let (tools, fails) = (Toolbox::of(server), Arc::clone(fails));
    let tool = chat_tool("clean", "Cleans up.", move || {
        let builder = Chat::builder(inner.clone(), tools.clone());
        let fails = fails.load(Ordering::Relaxed);
        async move { if fails { Err("no".into()) } else { Ok(builder) } }
    });
    let toolbox = Toolbox::builder()
        .source("clean", tool)
        .approval_secret("the secret of this test, which has 32 bytes")
        .build()
        .await
        .unwrap();
    let build = move |_| Chat::builder(model.clone(), toolbox.clone());
    Conversations::open(server, build).running(1).await.unwrap()
}

fn asks() -> Scripted {
    Scripted::new().calls([("clean", json!({ "message": "Clean up." }))])
}

fn clears() -> Scripted {
    Scripted::new().calls([("clear_notes", json!({}))])
}

#[timed_test::test]
async fn an_inner_call_is_decided_after_a_restart() {
    let (store, fails) = (Memory::default(), Arc::default());
    let server = serve(store.clone(), "main").await;
    note(&server, "milk").await;
    let inner = Gated::new(clears().text("Cleared."));
    inner.pass(2);
    let chats = opened(&server, asks(), inner.clone(), &fails).await;
    let turn = chats.send("ann", "Clean.").await.unwrap();
    let id = turn.pending[0].id.clone();
    assert_eq!(turn.pending[0].request.tool.name, "clear_notes");
    crash(server).await;

    let server = serve(store, "main").await;
    let model = Scripted::new().text("All clean.");
    let chats = opened(&server, model.clone(), inner, &fails).await;
    let page = chats.get("ann").await.unwrap();
    assert_eq!(page.info.status, ConversationStatus::Waiting);
    assert_eq!(page.pending[0].id, id);

    // a verdict that cannot be carried out changes nothing, also not in the log
    fails.store(true, Ordering::Relaxed);
    let turn = chats.decide("ann", &id, true).await.unwrap();
    let error = turn.wait().await.unwrap_err();
    assert!(matches!(*error, ChatError::Decision { .. }), "{error}");
    let stored = chats.export("ann").await.unwrap();
    chats.import("bob", &stored).await.unwrap();
    assert_eq!(chats.get("bob").await.unwrap().pending[0].id, id);
    assert_eq!(lines(&server).await, ["milk"]);

    fails.store(false, Ordering::Relaxed);
    let turn = chats.decide("ann", &id, true).await.unwrap();
    assert_eq!(wait(&turn).await.text(), "All clean.");
    let sent = results(&model.requests()[0].messages);
    assert_eq!(sent, ["Cleared."]);
    assert!(lines(&server).await.is_empty());
}

#[timed_test::test]
async fn a_verdict_that_was_not_carried_out_waits_after_a_restart() {
    let (store, fails) = (Memory::default(), Arc::default());
    let server = serve(store.clone(), "main").await;
    let inner = Gated::new(clears().text("Cleared."));
    inner.pass(2);
    let chats = opened(&server, asks(), inner.clone(), &fails).await;
    let id = chats.send("ann", "Clean.").await.unwrap().pending[0]
        .id
        .clone();
    fails.store(true, Ordering::Relaxed);
    let turn = chats.decide("ann", &id, true).await.unwrap();
    turn.wait().await.unwrap_err();
    crash(server).await;
    fails.store(false, Ordering::Relaxed);

    let server = serve(store, "main").await;
    let model = Scripted::new().text("All clean.");
    let chats = opened(&server, model, inner, &fails).await;
    assert_eq!(
        chats.get("ann").await.unwrap().info.status,
        ConversationStatus::Waiting
    );
    let turn = chats.decide("ann", &id, true).await.unwrap();
    assert_eq!(wait(&turn).await.text(), "All clean.");
}

/// The program is killed while the inner model is asked: in the first call, and after a verdict.
#[timed_test::test]
async fn a_call_that_was_cut_off_has_perhaps_run() {
    for decides in [false, true] {
        let (store, fails) = (Memory::default(), Arc::default());
        let server = serve(store.clone(), "main").await;
        let inner = Gated::new(clears().text("Cleared."));
        let chats = opened(&server, asks(), inner.clone(), &fails).await;
        if decides {
            inner.pass(1);
            let id = chats.send("ann", "Clean.").await.unwrap().pending[0]
                .id
                .clone();
            chats.decide("ann", &id, true).await.unwrap();
            inner.asked(2).await;
        } else {
            chats.start("ann", "Clean.").await.unwrap();
            inner.asked(1).await;
        }
        crash(server).await;

        let server = serve(store, "main").await;
        let model = Scripted::new().text("I see.");
        let chats = opened(&server, model.clone(), Gated::new(Scripted::new()), &fails).await;
        let page = chats.get("ann").await.unwrap();
        assert_eq!(page.info.status, ConversationStatus::Interrupted);
        let turn = wait(&chats.resume("ann").await.unwrap()).await;
        assert_eq!(turn.text(), "I see.");
        let part = model.requests()[0]
            .messages
            .iter()
            .flat_map(Message::results)
            .next()
            .cloned();
        let error = part.unwrap().result.unwrap_err();
        assert_eq!(error.applied(), Applied::Unknown, "{error}");
    }
}

/// The program is killed before the verdict on an inner call is carried out: the turn of another conversation is running.
#[timed_test::test]
async fn a_verdict_on_an_inner_call_outlives_the_program() {
    let (store, fails) = (Memory::default(), Arc::default());
    let server = serve(store.clone(), "main").await;
    note(&server, "milk").await;
    let inner = Gated::new(clears().text("not sent").text("Cleared."));
    inner.pass(1);
    let model = asks().calls([("clean", json!({ "message": "Clean up." }))]);
    let chats = opened(&server, model, inner.clone(), &fails).await;
    let id = chats.send("ann", "Clean.").await.unwrap().pending[0]
        .id
        .clone();
    chats.start("busy", "Clean.").await.unwrap();
    inner.asked(2).await;
    chats.decide("ann", &id, true).await.unwrap();
    crash(server).await;

    let server = serve(store, "main").await;
    inner.pass(2); // also for the turn that was cut off
    let chats = opened(&server, Scripted::new().text("All clean."), inner, &fails).await;
    let status = chats.get("ann").await.unwrap().info.status;
    assert_eq!(status, ConversationStatus::Interrupted);
    assert_eq!(lines(&server).await, ["milk"]);
    let turn = wait(&chats.resume("ann").await.unwrap()).await;
    assert_eq!(turn.text(), "All clean.");
    assert!(lines(&server).await.is_empty());
}
