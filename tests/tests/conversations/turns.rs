//! The rules for turns: who may begin one, what ends it, and what is kept.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{
    BoxStream, Chat, ChatError, ChatModel, ChatRequest, ConversationStatus, Conversations, Event,
    Message, ModelError, ModelEvent, ModelProfile, Scripted, Stop,
};
use skill_agent::server::Verdict;
use skill_agent::store::Memory;
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[timed_test::test]
async fn one_turn_runs_at_a_time_and_the_message_of_another_comes_back() {
    let model = Gated::new(Scripted::new().text("1"));
    let (_server, chats) = open(Memory::default(), model.clone()).await;
    let running = chats.start("ann", "Hi.").await.unwrap();
    for error in [
        chats.start("ann", "Bread.").await.unwrap_err(),
        chats.resume("ann").await.unwrap_err(),
        chats.decide("ann", "call_1_1_0", true).await.unwrap_err(),
    ] {
        assert!(matches!(error, ChatError::Busy { .. }), "{error}");
    }
    let error = chats.send("ann", "Bread.").await.unwrap_err();
    let ChatError::Busy { message, .. } = &*error else {
        panic!("{error}")
    };
    assert_eq!(message.text(), "Bread.");
    model.pass(1);
    wait(&running).await;
    assert_eq!(chats.get("ann").await.unwrap().history.len(), 2);
}

#[timed_test::test]
async fn a_message_cannot_leave_a_call_undecided() {
    let model = Scripted::new()
        .calls([("clear_notes", json!({}))])
        .text("Kept.");
    let (server, chats) = open(Memory::default(), model).await;
    chats.send("ann", "Clear.").await.unwrap();
    let error = chats.start("ann", "Hi.").await.unwrap_err();
    assert!(
        matches!(&error, ChatError::Pending(calls) if calls.len() == 1),
        "{error}"
    );
    let error = chats.decide("ann", "call_9_9_9", true).await.unwrap_err();
    assert!(matches!(error, ChatError::Decision { .. }), "{error}");
    // resuming ends at once
    let turn = wait(&chats.resume("ann").await.unwrap()).await;
    assert_eq!((turn.stop, turn.pending.len()), (Stop::Approval, 1));
    let id = &turn.pending[0].id;
    let turn = chats
        .decide("ann", id, Verdict::Deny("no".into()))
        .await
        .unwrap();
    assert_eq!(wait(&turn).await.text(), "Kept.");
    let error = chats.resume("ann").await.unwrap_err();
    assert!(matches!(error, ChatError::NothingToResume), "{error}");
    assert!(lines(&server).await.is_empty());
}

#[timed_test::test]
async fn turns_beyond_the_limit_wait_in_order_and_can_be_cancelled() {
    let model = Gated::new(Scripted::new().text("1").text("2").text("3"));
    let server = serve(Memory::default(), "main").await;
    let (built, toolbox) = (model.clone(), Toolbox::of(&server));
    let build = move |_| Chat::builder(built.clone(), toolbox.clone());
    let chats = Conversations::open(&server, build)
        .running(1)
        .await
        .unwrap();
    let mut turns = Vec::new();
    for id in ["a", "b", "c", "d"] {
        turns.push(chats.start(id, id).await.unwrap());
        model.asked(1).await;
    }
    let status = async |id: &str| chats.get(id).await.unwrap().info.status;
    assert_eq!(status("a").await, ConversationStatus::Running);
    assert_eq!(status("b").await, ConversationStatus::Queued);
    assert!(chats.cancel("b").await.unwrap().is_empty());
    assert_eq!(wait(&turns[1]).await.stop, Stop::Cancelled);
    // its message is kept
    assert_eq!(status("b").await, ConversationStatus::Interrupted);
    model.pass(3);
    for (turn, text) in [(0, "1"), (2, "2"), (3, "3")] {
        assert_eq!(wait(&turns[turn]).await.text(), text);
    }
    let asked = model.requests();
    let asked: Vec<_> = asked
        .iter()
        .map(|request| request.messages[0].text())
        .collect();
    assert_eq!(asked, ["a", "c", "d"]);
}

#[timed_test::test]
async fn a_function_that_fails_or_panics_is_an_error_and_leaves_nothing_behind() {
    let server = serve(Memory::default(), "main").await;
    let (calls, toolbox) = (Arc::new(AtomicUsize::new(0)), Toolbox::of(&server));
    let count = Arc::clone(&calls);
    let chats = Conversations::open(&server, move |id: String| {
        let call = count.fetch_add(1, Ordering::SeqCst);
        assert!(id != "panics", "no chat for `panics`");
        let toolbox = toolbox.clone();
        async move {
            match call {
                0 => Err(format!("no agent for `{id}`").into()),
                1 => panic!("it is too early"),
                _ => Ok(Chat::builder(Scripted::new().text("Hello."), toolbox)),
            }
        }
    });
    let chats = chats.await.unwrap();
    let error = chats.start("ann", "Hi.").await.unwrap_err().to_string();
    assert_eq!(
        error,
        "the chat of the conversation `ann` cannot be built: no agent for `ann`"
    );
    let error = chats.start("ann", "Hi.").await.unwrap_err().to_string();
    assert!(error.ends_with("it panicked: it is too early"), "{error}");
    let error = chats.start("panics", "Hi.").await.unwrap_err().to_string();
    assert!(
        error.ends_with("it panicked: no chat for `panics`"),
        "{error}"
    );
    assert!(chats.list("").await.unwrap().is_empty());
    assert!(matches!(
        chats.get("ann").await,
        Err(ChatError::Unknown { .. })
    ));
    assert_eq!(chats.send("ann", "Hi.").await.unwrap().text(), "Hello.");
}

#[derive(Clone)]
struct WithoutProfile;

impl ChatModel for WithoutProfile {
    fn profile(&self) -> ModelProfile {
        panic!("it has no profile")
    }

    fn stream(&self, _: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        panic!("it has no stream")
    }
}

#[timed_test::test]
async fn a_model_that_panics_blocks_no_conversation() {
    let (_server, chats) = open(Memory::default(), WithoutProfile).await;
    for _ in 0..2 {
        let error = chats.start("ann", "Hi.").await.unwrap_err();
        assert!(
            matches!(error, ChatError::Model(ModelError::Panicked)),
            "{error}"
        );
    }
    let model = Scripted::new().events([]).then_panic().text("Hello.");
    let (_server, chats) = open(Memory::default(), model).await;
    let error = chats.send("ann", "Hi.").await.unwrap_err();
    assert!(
        matches!(*error, ChatError::Model(ModelError::Panicked)),
        "{error}"
    );
    assert_eq!(
        wait(&chats.resume("ann").await.unwrap()).await.text(),
        "Hello."
    );
}

#[timed_test::test]
async fn a_caller_who_leaves_at_any_point_has_sent_the_message_once_or_never() {
    for polls in 0..12 {
        let (server, chats) = open(Memory::default(), noting("milk").text("1").text("2")).await;
        let has_ended = poll_times(chats.start("ann", "Milk."), polls).await;
        assert!(polls < 11 || has_ended, "it begins within these polls");
        eventually(async || {
            let listed = chats.list("").await.unwrap();
            listed
                .iter()
                .all(|info| info.status == ConversationStatus::Idle)
                && !(polls > 0 && listed.is_empty())
        })
        .await;
        let added = lines(&server).await.len();
        assert_eq!(added, usize::from(polls > 0), "after {polls} polls");
        chats.send("ann", "Bread.").await.unwrap();
    }
}

#[timed_test::test]
async fn an_event_of_each_turn_is_said_first() {
    let (_server, chats) = open(Memory::default(), Scripted::new().text("1").text("2")).await;
    chats.send("ann", "a").await.unwrap();
    let turn = chats.start("ann", Message::user("b")).await.unwrap();
    let first = turn.events().next().await.unwrap().event.unwrap();
    assert!(matches!(first, Event::Said(message) if message.text() == "b"));
}

#[timed_test::test(threads = 4)]
async fn turns_begin_in_the_order_of_their_messages() {
    let mut script = Scripted::new();
    for _ in 0..60 {
        script = script.text("Done.");
    }
    let model = Gated::new(script);
    let server = serve(Memory::default(), "main").await;
    let (built, toolbox) = (model.clone(), Toolbox::of(&server));
    let build = move |_| Chat::builder(built.clone(), toolbox.clone());
    let chats = Conversations::open(&server, build)
        .running(1)
        .await
        .unwrap();
    let mut turns = Vec::new();
    for number in 0..60 {
        turns.push(
            chats
                .start(number.to_string(), number.to_string())
                .await
                .unwrap(),
        );
    }
    model.pass(60);
    for turn in turns {
        wait(&turn).await;
    }
    let requests = model.requests();
    let order = requests.iter().map(|request| request.messages[0].text());
    assert!(order.eq((0..60).map(|number: u32| number.to_string())));
}

#[timed_test::test]
async fn a_turn_whose_chat_is_never_built_can_be_cancelled_and_deleted() {
    let server = serve(Memory::default(), "main").await;
    let (begun, mut builds) = tokio::sync::mpsc::unbounded_channel();
    let chats = Conversations::open(&server, move |id: String| {
        begun.send(id).unwrap();
        async {
            std::future::pending::<Result<Chat, _>>()
                .await
                .map(|_| unreachable!())
        }
    });
    let chats = chats.await.unwrap();
    for deletes in [false, true] {
        let start = tokio::spawn({
            let chats = chats.clone();
            async move { chats.start("ann", "Hi.").await }
        });
        assert_eq!(builds.recv().await.unwrap(), "ann");
        if deletes {
            chats.delete("ann").await.unwrap();
        } else {
            assert!(chats.cancel("ann").await.unwrap().is_empty());
        }
        let error = start.await.unwrap().unwrap_err();
        assert!(matches!(error, ChatError::Ended), "{error}");
        assert!(chats.list("").await.unwrap().is_empty());
        assert!(matches!(
            chats.get("ann").await,
            Err(ChatError::Unknown { .. })
        ));
    }
}
