//! Loads of tools in conversations whose process ends.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{Chat, ChatModel, Conversations, Scripted};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::store::Memory;
use skill_agent::toolbox::{Toolbox, ToolboxBuilder};
use std::future::pending;
use tokio::sync::mpsc;

/// Opens conversations whose notes are deferred.
async fn open_deferring(
    server: &AgentServer<Assistant>,
    model: impl ChatModel + Clone,
    with: impl FnOnce(ToolboxBuilder) -> ToolboxBuilder,
) -> Conversations {
    let toolbox = Toolbox::builder().server(server).deferred("Keeps notes.");
    let toolbox = with(toolbox).build().await.unwrap();
    let build = move |_| Chat::builder(model.clone(), toolbox.clone());
    Conversations::open(server, build).await.unwrap()
}

fn loading() -> Scripted {
    Scripted::new().calls([("skill", json!({ "skill_name": "assistant" }))])
}

fn noting_milk(model: Scripted) -> Scripted {
    model
        .calls([("add_note", json!({ "text": "milk" }))])
        .text("Noted.")
}

#[timed_test::test]
async fn a_process_that_ends_behind_a_load_is_continued_with_the_tools() {
    let store = Memory::default();
    let model = Gated::new(loading().text("Never."));
    let server = serve(store.clone(), "main").await;
    let chats = open_deferring(&server, model.clone(), |toolbox| toolbox).await;
    let _turn = chats.start("bob", "Note milk.").await.unwrap();
    model.pass(1);
    model.asked(2).await;
    crash(server).await;

    let model = noting_milk(Scripted::new());
    let server = serve(store, "main").await;
    let chats = open_deferring(&server, model.clone(), |toolbox| toolbox).await;
    let turn = wait(&chats.resume("bob").await.unwrap()).await;
    assert_eq!(turn.text(), "Noted.");
    assert_eq!(lines(&server).await, ["milk"]);
    let history = chats.get("bob").await.unwrap().history;
    assert_eq!(contexts(&history[2])[0].groups, ["assistant"]);
}

#[timed_test::test]
async fn a_process_that_ends_in_a_load_asks_the_model_again() {
    let store = Memory::default();
    let (asked, mut is_asked) = mpsc::unbounded_channel();
    let asking = move |toolbox: ToolboxBuilder| {
        let toolbox = toolbox.guard(|_: &Attempt<'_>| Decision::Ask);
        toolbox.approver(move |_: ApprovalRequest| {
            asked.send(()).unwrap();
            async {
                pending::<()>().await;
                Verdict::Approve
            }
        })
    };
    let server = serve(store.clone(), "main").await;
    let chats = open_deferring(&server, loading(), asking).await;
    let _turn = chats.start("bob", "Note milk.").await.unwrap();
    is_asked.recv().await.unwrap();
    crash(server).await;

    // a step that only reads is not recorded before its end
    let model = noting_milk(loading());
    let server = serve(store, "main").await;
    let chats = open_deferring(&server, model, |toolbox| toolbox).await;
    wait(&chats.resume("bob").await.unwrap()).await;
    assert_eq!(lines(&server).await, ["milk"]);
    let history = chats.get("bob").await.unwrap().history;
    let loads = history.iter().flat_map(contexts);
    assert_eq!(loads.filter(|part| !part.groups.is_empty()).count(), 1);
}
