//! Messages that are sent into a running turn, or wait for the next one.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{
    Chat, ChatError, ConversationStatus, Conversations, Event, ImagePart, Message, ModelProfile,
    Scripted, Stop,
};
use skill_agent::models::Provider;
use skill_agent::server::Verdict;
use skill_agent::store::Memory;
use skill_agent::testing::{Fault, FaultyStore};
use skill_agent::toolbox::Toolbox;

fn said_by_user(messages: &[Message]) -> Vec<String> {
    let messages = messages.iter().filter(|message| message.is_of_user());
    messages.map(|message| message.text().to_string()).collect()
}

#[timed_test::test]
async fn a_steered_message_is_in_the_next_request_of_the_turn() {
    let model = Gated::new(noting("milk").text("Both."));
    let (_server, chats) = open(Memory::default(), model.clone()).await;
    let running = chats.start("ann", "Milk.").await.unwrap();
    model.asked(1).await;
    let steered = chats.steer("ann", "And bread.").await.unwrap();
    assert_eq!(
        texts(&chats.get("ann").await.unwrap().queued),
        ["And bread."]
    );
    model.pass(2);
    assert_eq!(wait(&running).await.text(), "Both.");
    assert_eq!(wait(&steered).await.text(), "Both."); // the same turn
    let requests = model.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(said_by_user(&requests[0].messages), ["Milk."]);
    assert_eq!(said_by_user(&requests[1].messages), ["Milk.", "And bread."]);
    let page = chats.get("ann").await.unwrap();
    assert_eq!((page.history.len(), page.info.turns), (5, 1));
    assert!(page.queued.is_empty());
    let mut events = running.events();
    let mut said = Vec::new();
    while let Some(event) = events.next().await {
        if let Ok(Event::Said(message)) = event.event {
            said.push(message.text().to_string());
        }
    }
    assert_eq!(said, ["Milk.", "And bread."]);
}

#[timed_test::test]
async fn a_message_after_the_last_request_begins_the_next_turn() {
    let model = Gated::new(Scripted::new().text("One.").text("Two."));
    let (_server, chats) = open(Memory::default(), model.clone()).await;
    let running = chats.start("ann", "1").await.unwrap();
    model.asked(1).await;
    chats.steer("ann", "2").await.unwrap();
    let mut follow = chats.follow("ann", None).unwrap();
    model.pass(2);
    assert_eq!(wait(&running).await.text(), "One.");
    let mut answers = Vec::new();
    while answers.len() < 2 {
        let done = until(&mut follow, |event| matches!(event, Event::Done(_))).await;
        let Event::Done(turn) = done else {
            unreachable!()
        };
        answers.push(turn.text().to_owned());
    }
    assert_eq!(answers, ["One.", "Two."]);
    assert_eq!(chats.get("ann").await.unwrap().info.turns, 2);
}

#[timed_test::test]
async fn a_message_is_kept_while_a_call_waits() {
    let store = Memory::default();
    let script = Scripted::new().calls([("clear_notes", json!({}))]);
    let (server, chats) = open(store.clone(), script).await;
    let turn = chats.send("ann", "Clear.").await.unwrap();
    assert_eq!(turn.stop, Stop::Approval);
    let steered = chats.steer("ann", "Quick!").await.unwrap();
    let waits = chats.get("ann").await.unwrap();
    assert_eq!(waits.info.status, ConversationStatus::Waiting);
    assert_eq!(texts(&waits.queued), ["Quick!"]);
    drop(steered);
    server.stop().await.unwrap();
    // also over a restart
    let model = Scripted::new().text("Gone.");
    let (_server, chats) = open(store, model.clone()).await;
    let id = &chats.get("ann").await.unwrap().pending[0].id;
    let steered = chats.steer("ann", "Now!").await.unwrap();
    let mut events = steered.events(); // of a turn that begins later
    let running = chats.decide("ann", id, Verdict::Approve).await.unwrap();
    assert_eq!(wait(&running).await.text(), "Gone.");
    assert_eq!(wait(&steered).await.text(), "Gone.");
    until(&mut events, |event| matches!(event, Event::Done(_))).await;
    assert!(events.next().await.is_none());
    let sent = said_by_user(&model.requests()[0].messages);
    assert_eq!(sent, ["Clear.", "Quick!", "Now!"]);
}

#[timed_test::test]
async fn steered_messages_survive_a_crash_and_wait_for_resume() {
    let store = Memory::default();
    let model = Gated::new(Scripted::new());
    let (server, chats) = open(store.clone(), model.clone()).await;
    let running = chats.start("ann", "1").await.unwrap();
    model.asked(1).await;
    chats.steer("ann", "2").await.unwrap();
    crash(server).await;
    model.pass(1);
    assert!(matches!(
        *running.wait().await.unwrap_err(),
        ChatError::Model(_)
    ));
    let model = Scripted::new().text("Both.");
    let (_server, chats) = open(store, model.clone()).await;
    let page = chats.get("ann").await.unwrap();
    assert_eq!(page.info.status, ConversationStatus::Interrupted);
    assert_eq!(texts(&page.queued), ["2"]);
    assert!(model.requests().is_empty());
    wait(&chats.resume("ann").await.unwrap()).await;
    assert_eq!(said_by_user(&model.requests()[0].messages), ["1", "2"]);
    assert!(chats.get("ann").await.unwrap().queued.is_empty());
}

#[timed_test::test]
async fn a_message_after_a_crash_comes_behind_those_that_wait() {
    let store = Memory::default();
    let model = Gated::new(Scripted::new());
    let (server, chats) = open(store.clone(), model.clone()).await;
    chats.start("ann", "1").await.unwrap();
    model.asked(1).await;
    for text in ["2", "3"] {
        chats.steer("ann", text).await.unwrap();
    }
    crash(server).await;
    let model = Scripted::new().text("All.");
    let (_server, chats) = open(store, model.clone()).await;
    chats.send("ann", "4").await.unwrap();
    assert_eq!(
        said_by_user(&model.requests()[0].messages),
        ["1", "2", "3", "4"]
    );
    let page = chats.get("ann").await.unwrap();
    assert_eq!(said_by_user(&page.history), ["1", "2", "3", "4"]);
    assert!(page.queued.is_empty());
    assert_eq!(page.info.status, ConversationStatus::Idle);
}

#[timed_test::test]
async fn a_message_whose_turn_cannot_begin_waits_for_resume() {
    let store = FaultyStore::new(Memory::default());
    let model = Gated::new(Scripted::new().text("One."));
    let (server, chats) = open(store.clone(), model.clone()).await;
    let running = chats.start("ann", "1").await.unwrap();
    model.asked(1).await;
    chats.steer("ann", "2").await.unwrap();
    store.on_commit(1, Fault::Refuse); // behind the answer
    model.pass(1);
    wait(&running).await;
    eventually(async || {
        let status = chats.get("ann").await.unwrap().info.status;
        status == ConversationStatus::Interrupted
    })
    .await;
    crash(server).await;
    let model = Scripted::new().text("Two.");
    let (_server, chats) = open(store, model.clone()).await;
    let page = chats.get("ann").await.unwrap();
    assert_eq!(page.info.status, ConversationStatus::Interrupted);
    assert_eq!(
        (page.history.len(), texts(&page.queued)),
        (2, vec!["2".to_owned()])
    );
    let turn = wait(&chats.resume("ann").await.unwrap()).await;
    assert_eq!(turn.text(), "Two.");
    assert_eq!(said_by_user(&model.requests()[0].messages), ["1", "2"]);
    let error = chats.resume("ann").await.unwrap_err();
    assert!(matches!(error, ChatError::NothingToResume), "{error}");
}

#[timed_test::test]
async fn a_cancelled_turn_returns_the_messages_that_were_not_sent() {
    let model = Gated::new(Scripted::new().text("One.").text("Two."));
    let (_server, chats) = open(Memory::default(), model.clone()).await;
    chats.start("ann", "1").await.unwrap();
    model.asked(1).await;
    chats.steer("ann", "2").await.unwrap();
    chats.steer("ann", "3").await.unwrap();
    assert_eq!(texts(&chats.cancel("ann").await.unwrap()), ["2", "3"]);
    assert!(chats.cancel("ann").await.unwrap().is_empty());
    let page = chats.get("ann").await.unwrap();
    assert_eq!(page.info.status, ConversationStatus::Interrupted);
    assert_eq!(
        (said_by_user(&page.history), page.queued.len()),
        (vec!["1".to_owned()], 0)
    );
    model.pass(1);
    wait(&chats.resume("ann").await.unwrap()).await;
    assert_eq!(said_by_user(&model.requests()[1].messages), ["1"]);
}

#[timed_test::test]
async fn steering_and_cancelling_costs_no_room() {
    let model = Scripted::new().calls([("clear_notes", json!({}))]);
    let server = serve(Memory::default(), "main").await;
    let toolbox = Toolbox::of(&server);
    let build = move |_| Chat::builder(model.clone(), toolbox.clone());
    let chats = Conversations::open(&server, build).max_bytes(10_000);
    let chats = chats.await.unwrap();
    chats.send("ann", "Clear.").await.unwrap();
    for _ in 0..20 {
        let steered = chats.steer("ann", "x".repeat(1_000)).await.unwrap();
        assert_eq!(chats.cancel("ann").await.unwrap().len(), 1);
        // the message is not sent, so its turn never begins
        assert!(matches!(
            *steered.wait().await.unwrap_err(),
            ChatError::Ended
        ));
        assert!(steered.events().next().await.is_none());
    }
    let page = chats.get("ann").await.unwrap();
    assert_eq!(page.info.status, ConversationStatus::Waiting);
}

#[timed_test::test(threads = 2)]
async fn many_callers_steer_at_once_and_each_message_is_sent_once() {
    let mut script = Scripted::new();
    for number in 0..300 {
        script = script.text(number.to_string());
    }
    let (_server, chats) = open(Memory::default(), script).await;
    chats.send("ann", "first").await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..8 {
        let chats = chats.clone();
        tasks.spawn(async move {
            for number in 0..20 {
                let turn = chats
                    .steer("ann", format!("{task}.{number}"))
                    .await
                    .unwrap();
                turn.wait().await.unwrap();
            }
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
    eventually(async || {
        let page = chats.get("ann").await.unwrap();
        page.info.status == ConversationStatus::Idle && page.queued.is_empty()
    })
    .await;
    let mut said = said_by_user(&chats.get("ann").await.unwrap().history);
    let count = said.len();
    said.sort();
    said.dedup();
    assert_eq!((count, said.len()), (161, 161));
}

#[timed_test::test(threads = 3)]
async fn a_message_that_cancel_returns_is_not_in_the_history() {
    for round in 0..60 {
        let model = Gated::new(noting("milk").text("1").text("2").text("3"));
        let (_server, chats) = open(Memory::default(), model.clone()).await;
        chats.start("ann", "0").await.unwrap();
        model.asked(1).await;
        chats.steer("ann", "1").await.unwrap();
        model.pass(1);
        model.asked(2).await; // it is in the request now
        chats.steer("ann", "2").await.unwrap();
        let cancel = tokio::spawn({
            let chats = chats.clone();
            async move {
                for _ in 0..round {
                    tokio::task::yield_now().await;
                }
                chats.cancel("ann").await.unwrap()
            }
        });
        model.pass(3);
        let unsent = texts(&cancel.await.unwrap());
        eventually(async || {
            let status = chats.get("ann").await.unwrap().info.status;
            !matches!(
                status,
                ConversationStatus::Running | ConversationStatus::Queued
            )
        })
        .await;
        let page = chats.get("ann").await.unwrap();
        let mut all = said_by_user(&page.history);
        all.extend(texts(&page.queued));
        all.extend(unsent);
        all.sort();
        assert_eq!(all, ["0", "1", "2"], "round {round}");
    }
}

#[timed_test::test]
async fn an_image_is_steered_to_a_model_that_reads_images() {
    for images in [false, true] {
        let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_images(images);
        let script = Scripted::new().text("One.").text("A cat.");
        let model = Gated::new(script.with_profile(profile));
        let (_server, chats) = open(Memory::default(), model.clone()).await;
        let picture =
            || Message::from("What is it?").with(ImagePart::from_bytes("image/png", vec![1]));
        let first = chats.start("ann", "1").await.unwrap();
        model.asked(1).await;
        let steered = chats.steer("ann", picture()).await;
        assert_eq!(steered.is_ok(), images);
        assert!(images || matches!(steered, Err(ChatError::Images)));
        model.pass(2);
        wait(&first).await;
        let said = if images {
            vec!["1", "What is it?"]
        } else {
            vec!["1"]
        };
        eventually(async || {
            let page = chats.get("ann").await.unwrap();
            page.info.status == ConversationStatus::Idle
                && page.queued.is_empty()
                && said_by_user(&page.history) == said
        })
        .await;
    }
}
