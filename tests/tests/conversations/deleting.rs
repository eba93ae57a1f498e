//! Conversations that are deleted, and begun anew with the same id.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{Chat, ChatError, Conversations, Event, Scripted, Stop};
use skill_agent::prelude::*;
use skill_agent::server::Verdict;
use skill_agent::store::{Memory, Store};
use skill_agent::toolbox::Toolbox;

fn is_unknown<T>(result: Result<T, ChatError>) -> bool {
    matches!(result, Err(ChatError::Unknown { .. }))
}

#[timed_test::test]
async fn an_unknown_conversation_is_an_error_except_for_send() {
    let (_server, chats) = open(Memory::default(), Scripted::new().text("Hello.")).await;
    assert!(is_unknown(chats.get("ann").await));
    assert!(is_unknown(chats.resume("ann").await));
    assert!(is_unknown(chats.steer("ann", "Hi.").await));
    assert!(is_unknown(chats.decide("ann", "call_1_1_0", true).await));
    assert!(is_unknown(chats.cancel("ann").await));
    assert!(is_unknown(chats.rename("ann", "Ann").await));
    assert!(is_unknown(chats.export("ann").await));
    assert!(is_unknown(chats.events("ann", None)));
    assert!(is_unknown(chats.follow("ann", 3)));
    assert!(is_unknown(chats.delete("ann").await));
    let error = chats.get("ann").await.unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no conversation `ann`; `send` and `start` begin one"
    );
    chats.send("ann", "Hi.").await.unwrap();
    chats.delete("ann").await.unwrap();
    assert!(is_unknown(chats.delete("ann").await));
    assert!(chats.list("").await.unwrap().is_empty());
}

#[timed_test::test]
async fn a_running_turn_is_cancelled_first() {
    let store = Memory::default();
    let (server, chats) = open(store.clone(), noting("milk").events([]).then_stall()).await;
    let running = chats.start("ann", "Milk.").await.unwrap();
    let mut events = chats.follow("ann", None).unwrap();
    until(&mut events, |event| matches!(event, Event::StepEnd(_))).await;
    chats.delete("ann").await.unwrap();
    assert_eq!(wait(&running).await.stop, Stop::Cancelled);
    until(&mut events, |event| matches!(event, Event::Done(_))).await;
    assert!(events.next().await.is_none()); // the end of the conversation
    server.stop().await.unwrap();
    let (server, chats) = open(store, Scripted::new()).await;
    assert!(chats.list("").await.unwrap().is_empty());
    assert_eq!(lines(&server).await, ["milk"]);
}

/// The number of outputs that a stopped server holds for steps that are not recorded.
async fn held(store: &Memory) -> usize {
    let mut log = store.open("main").unwrap();
    log.recover().await.unwrap();
    log.scan("held_keys", &[], 10).await.unwrap().len()
}

#[timed_test::test]
async fn the_outputs_of_an_unfinished_step_are_deleted_with_the_conversation() {
    let store = Memory::default();
    let calls = [
        ("add_note", json!({ "text": "milk" })),
        ("sleep", json!({})),
    ];
    let (server, chats) = open(store.clone(), Scripted::new().calls(calls)).await;
    let running = chats.start("ann", "Milk.").await.unwrap();
    until(&mut running.events(), |event| {
        matches!(event, Event::Called(_))
    })
    .await;
    crash(server).await;
    assert_eq!(held(&store).await, 1);
    let (server, chats) = open(store.clone(), Scripted::new()).await;
    chats.delete("ann").await.unwrap();
    server.stop().await.unwrap();
    assert_eq!(held(&store).await, 0);
}

#[timed_test::test]
async fn no_key_and_no_event_of_a_deleted_conversation_answers_for_the_next_one() {
    let model = noting("milk")
        .text("1")
        .calls([("add_note", json!({ "text": "milk" }))])
        .text("2");
    let (server, chats) = open(Memory::default(), model).await;
    chats.send("ann", "Milk.").await.unwrap();
    let mut events = chats.events("ann", None).unwrap();
    let mut last = 0;
    while let Some(event) = events.next().await {
        last = event.number;
    }
    chats.delete("ann").await.unwrap();
    let turn = chats.send("ann", "Milk.").await.unwrap();
    assert_eq!(turn.calls[0].id, "call_1_1_0"); // the same id as before, and another call
    assert_eq!(lines(&server).await, ["milk", "milk"]);
    // a page that has not noticed
    let mut events = chats.events("ann", last + 5).unwrap();
    let first = events.next().await.unwrap();
    assert!(matches!(first.event, Ok(Event::Restarted)), "{first:?}");
    let next = events.next().await.unwrap();
    assert!(matches!((next.number, next.event), (0, Ok(Event::Said(_)))));
    // it may leave between the two
    let mut events = chats.events("ann", first.number).unwrap();
    assert!(matches!(
        events.next().await.unwrap().event,
        Ok(Event::Restarted)
    ));
    assert!(matches!(
        events.next().await.unwrap().event,
        Ok(Event::Said(_))
    ));
}

#[timed_test::test]
async fn a_caller_who_waits_for_a_turn_of_a_deleted_conversation_gets_an_error() {
    let model = Scripted::new().calls([("clear_notes", json!({}))]);
    let (_server, chats) = open(Memory::default(), model).await;
    chats.send("ann", "Clear.").await.unwrap();
    let steered = chats.steer("ann", "Quick!").await.unwrap();
    let waiting = tokio::spawn(async move { steered.wait().await });
    chats.delete("ann").await.unwrap();
    let error = waiting.await.unwrap().unwrap_err();
    assert!(matches!(*error, ChatError::Unknown { .. }), "{error}");
}

#[timed_test::test(threads = 2)]
async fn a_conversation_is_deleted_and_begun_by_many_at_once() {
    let store = Memory::default();
    let mut script = Scripted::new();
    for _ in 0..400 {
        script = script.text("Hello.");
    }
    let (server, chats) = open(store.clone(), script).await;
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..6 {
        let chats = chats.clone();
        tasks.spawn(async move {
            for _ in 0..30 {
                match task % 3 {
                    0 => match chats.delete("ann").await {
                        Ok(()) | Err(ChatError::Unknown { .. }) => {}
                        Err(error) => panic!("{error}"),
                    },
                    // a message always finds or begins a conversation
                    _ => match chats.send("ann", "Hi.").await {
                        Ok(_) => {}
                        Err(error) if matches!(*error, ChatError::Busy { .. }) => {}
                        Err(error) => panic!("{error}"),
                    },
                }
            }
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
    let before = chats.list("").await.unwrap();
    server.stop().await.unwrap();
    let (_server, chats) = open(store, Scripted::new()).await;
    assert_eq!(chats.list("").await.unwrap(), before);
}

#[timed_test::test]
async fn a_caller_who_leaves_stops_no_deletion() {
    for polls in 0..6 {
        let model = Scripted::new()
            .calls([("clear_notes", json!({}))])
            .text("Anew.");
        let (_server, chats) = open(Memory::default(), model).await;
        chats.send("ann", "Clear.").await.unwrap();
        let has_begun = polls > 0;
        poll_times(chats.delete("ann"), polls).await;
        if !has_begun {
            let id = &chats.get("ann").await.unwrap().pending[0].id;
            let deny = Verdict::Deny("no".into());
            wait(&chats.decide("ann", id, deny).await.unwrap()).await;
            continue;
        }
        // it waits for the end of the deletion
        let turn = chats.send("ann", "Hi.").await.unwrap();
        assert_eq!(turn.text(), "Anew.");
        assert_eq!(chats.get("ann").await.unwrap().info.turns, 1);
    }
}

#[timed_test::test(threads = 2)]
async fn a_conversation_with_an_agent_of_its_own_is_begun_anew_at_once() {
    let store = Memory::default();
    let keeper = serve(store.clone(), "keeper").await;
    let chats = Conversations::open(&keeper, move |id| {
        let agent = AgentServer::builder(Assistant::with_id(id)).store(store.clone());
        async {
            let toolbox = Toolbox::of(&agent.start().await?);
            Ok(Chat::builder(Noting, toolbox))
        }
    });
    let chats = chats.await.unwrap();
    for round in 1..=20 {
        let turn = chats.send("ann", "Milk.").await.unwrap();
        // the agent of the deleted one stops first, and has its state in the store
        assert_eq!(
            turn.calls[0].result.as_ref().unwrap().text(),
            round.to_string()
        );
        chats.delete("ann").await.unwrap();
    }
}
