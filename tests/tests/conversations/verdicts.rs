//! Verdicts that were given, and a program that is killed before or while they are carried out.

use crate::support::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::chat::{Chat, ChatError, ConversationStatus, Conversations, Message, Scripted};
use skill_agent::prelude::*;
use skill_agent::server::{Applied, ApprovalRequest, Verdict};
use skill_agent::store::Memory;
use skill_agent::toolbox::Toolbox;
use tokio::sync::mpsc;

/// One turn of `busy` keeps the verdict on the call of `ann` waiting.
async fn decided(store: &Memory, verdict: Verdict) -> String {
    let model = Gated::new(
        Scripted::new()
            .calls([("clear_notes", json!({}))])
            .text("not sent"),
    );
    let server = serve(store.clone(), "main").await;
    note(&server, "milk").await;
    let chats = open_one_by_one(&server, model.clone()).await;
    model.pass(1);
    let id = chats.send("ann", "Clear.").await.unwrap().pending[0]
        .id
        .clone();
    chats.start("busy", "Hi.").await.unwrap();
    model.asked(2).await;
    chats.decide("ann", &id, verdict).await.unwrap();
    assert_eq!(lines(&server).await, ["milk"]);
    crash(server).await;
    id
}

#[timed_test::test]
async fn a_verdict_outlives_the_program() {
    for (verdict, result, left) in [
        (Verdict::Approve, "null", 0),
        (
            Verdict::Deny("it is needed".into()),
            "`clear_notes` was denied: it is needed",
            1,
        ),
    ] {
        let store = Memory::default();
        decided(&store, verdict).await;
        let model = Scripted::new().text("Done.");
        let (server, chats) = open(store, model.clone()).await;
        let page = chats.get("ann").await.unwrap();
        assert_eq!(page.info.status, ConversationStatus::Interrupted);
        let turn = wait(&chats.resume("ann").await.unwrap()).await;
        assert_eq!(turn.text(), "Done.");
        assert_eq!(results(&model.requests()[0].messages), [result]);
        assert_eq!(lines(&server).await.len(), left);
    }
}

#[timed_test::test]
async fn a_message_waits_for_a_verdict_that_is_not_carried_out() {
    let store = Memory::default();
    decided(&store, Verdict::Approve).await;
    let model = Scripted::new().text("Done.");
    let (_server, chats) = open(store, model.clone()).await;
    chats.steer("ann", "And quickly.").await.unwrap();
    assert!(model.requests().is_empty());
    let turn = wait(&chats.resume("ann").await.unwrap()).await;
    assert_eq!(turn.text(), "Done.");
    assert_eq!(texts(&model.requests()[0].messages)[3], "And quickly.");
}

#[timed_test::test]
async fn a_later_verdict_replaces_one_that_was_not_carried_out() {
    let store = Memory::default();
    let id = decided(&store, Verdict::Approve).await;
    let (server, chats) = open(store, Scripted::new().text("Kept.")).await;
    let error = chats.start("ann", "Hi.").await.unwrap_err();
    assert!(matches!(error, ChatError::Pending(_)), "{error}");
    let turn = chats.decide("ann", &id, false).await.unwrap();
    assert_eq!(wait(&turn).await.text(), "Kept.");
    assert_eq!(lines(&server).await, ["milk"]);
    let error = chats.resume("ann").await.unwrap_err();
    assert!(matches!(error, ChatError::NothingToResume), "{error}");
}

#[timed_test::test]
async fn a_verdict_that_was_cancelled_is_forgotten() {
    let store = Memory::default();
    decided(&store, Verdict::Approve).await;
    let model = Gated::new(Scripted::new());
    let server = serve(store.clone(), "main").await;
    let chats = open_one_by_one(&server, model.clone()).await;
    chats.resume("busy").await.unwrap();
    model.asked(1).await;
    chats.resume("ann").await.unwrap();
    chats.cancel("ann").await.unwrap();
    let status = chats.get("ann").await.unwrap().info.status;
    assert_eq!(status, ConversationStatus::Waiting);
    crash(server).await;
    let (server, chats) = open(store, Scripted::new()).await;
    let status = chats.get("ann").await.unwrap().info.status;
    assert_eq!(status, ConversationStatus::Waiting);
    assert_eq!(lines(&server).await, ["milk"]);
}

/// Bookings outside the agent.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "bank", actions(Pay))]
pub struct Bank {}

/// Pay the rent.
#[action(destructive)]
pub async fn pay(_: &Bank, booked: &Booked) -> &'static str {
    let _ = booked.0.send(());
    tokio::time::sleep(std::time::Duration::from_secs(24 * 60 * 60)).await;
    "paid"
}

#[derive(Clone)]
pub struct Booked(mpsc::UnboundedSender<()>);

#[derive(Resources)]
pub struct Bookings {
    booked: Booked,
}

agent! {
    pub struct Payer {
        name: "payer",
        skills: [Bank],
    }
}

#[timed_test::test]
async fn an_approved_async_action_that_was_cut_off_does_not_run_again() {
    let (store, (booked, mut bookings)) = (Memory::default(), mpsc::unbounded_channel());
    let opened = async |model: Scripted| {
        let server = AgentServer::builder(Payer::with_id("payer"))
            .store(store.clone())
            .resources(Bookings {
                booked: Booked(booked.clone()),
            })
            .approver(|_: ApprovalRequest| async { Verdict::Later })
            .approval_secret("the secret of this test, which has 32 bytes")
            .grace(std::time::Duration::ZERO)
            .start()
            .await
            .unwrap();
        let toolbox = Toolbox::of(&server);
        let build = move |_| Chat::builder(model.clone(), toolbox.clone());
        let chats = Conversations::open(&server, build).await.unwrap();
        (server, chats)
    };
    let (server, chats) = opened(Scripted::new().calls([("pay", json!({}))])).await;
    let id = chats.send("ann", "Pay.").await.unwrap().pending[0]
        .id
        .clone();
    chats.decide("ann", &id, true).await.unwrap();
    bookings.recv().await.unwrap();
    server.kill();
    server.closed().await;

    let model = Scripted::new().text("I see.");
    let (_server, chats) = opened(model.clone()).await;
    let status = chats.get("ann").await.unwrap().info.status;
    assert_eq!(status, ConversationStatus::Interrupted);
    let error = chats.decide("ann", &id, true).await.unwrap_err();
    assert!(matches!(error, ChatError::Decision { .. }), "{error}");
    assert_eq!(
        wait(&chats.resume("ann").await.unwrap()).await.text(),
        "I see."
    );
    let told = model.requests()[0]
        .messages
        .iter()
        .flat_map(Message::results)
        .next()
        .cloned();
    assert_eq!(
        told.unwrap().result.unwrap_err().applied(),
        Applied::Unknown
    );
    assert!(bookings.try_recv().is_err());
}
