//! Servers that stop, are killed or fail in mid turn.

use crate::support::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::chat::{Chat, ChatError, ConversationStatus, Conversations, Event, Scripted};
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::testing::{Fault, FaultyStore};
use skill_agent::toolbox::Toolbox;

#[timed_test::test]
async fn a_keeper_that_stops_or_is_killed_in_mid_turn_loses_nothing_that_was_recorded() {
    for kills in [true, false] {
        let store = Memory::default();
        let model = Gated::new(noting("milk").text("1"));
        let (server, chats) = open(store.clone(), model.clone()).await;
        let running = chats.start("ann", "Milk.").await.unwrap();
        model.pass(1);
        model.asked(2).await;
        if kills {
            crash(server).await;
        } else {
            server.stop().await.unwrap();
        }
        model.pass(1);
        let error = running.wait().await.unwrap_err();
        assert!(matches!(*error, ChatError::Store(_)), "{error}");
        let error = chats.start("ann", "Bread.").await.unwrap_err();
        assert!(matches!(error, ChatError::Store(_)), "{error}");
        let error = chats.get("ann").await.unwrap_err();
        assert!(matches!(error, ChatError::Store(_)), "{error}");
        let (server, chats) = open(store, Scripted::new().text("1")).await;
        assert_eq!(chats.get("ann").await.unwrap().history.len(), 3);
        assert_eq!(wait(&chats.resume("ann").await.unwrap()).await.text(), "1");
        assert_eq!(lines(&server).await, ["milk"]);
    }
}

#[timed_test::test]
async fn a_write_that_the_store_refuses_ends_the_turn_and_a_resumed_one_goes_on() {
    // the message, the completion, the call, the results, the answer
    for commit in 0..5 {
        let store = FaultyStore::new(Memory::default());
        let (server, chats) = open(store.clone(), Noting).await;
        chats.send("bob", "Hi.").await.unwrap();
        store.on_commit(commit, Fault::Refuse);
        let begun = chats.start("ann", "Milk.").await;
        match begun {
            Err(error) => assert!(
                commit == 0 && matches!(error, ChatError::Store(_)),
                "{error}"
            ),
            Ok(running) => match running.wait().await {
                // the model reads that the call failed, and the next one
                Ok(_) => assert_eq!(commit, 2),
                Err(error) => assert!(matches!(*error, ChatError::Store(_)), "{error}"),
            },
        }
        if commit == 0 {
            chats.send("ann", "Milk.").await.unwrap();
        } else if commit != 2 {
            wait(&chats.resume("ann").await.unwrap()).await;
        }
        let page = chats.get("ann").await.unwrap();
        assert_eq!(
            page.info.status,
            ConversationStatus::Idle,
            "commit {commit}"
        );
        let ran = usize::from(commit != 2);
        let milk = lines(&server)
            .await
            .into_iter()
            .filter(|line| line == "ann");
        assert_eq!(milk.count(), ran, "commit {commit}");
        let history = json_of(&page.history);
        crash(server).await;
        let (_server, chats) = open(store, Scripted::new()).await;
        let page = chats.get("ann").await.unwrap();
        assert_eq!(json_of(&page.history), history, "commit {commit}");
    }
}

/// A lamp of a server without a store.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "lamp", actions(SwitchOn))]
pub struct Lamp {
    pub times: u64,
}

/// Switch the lamp on.
#[action]
pub fn switch_on(lamp: &mut Lamp) -> u64 {
    lamp.times += 1;
    lamp.times
}

agent! {
    pub struct Room {
        name: "room",
        skills: [Lamp],
    }
}

#[timed_test::test]
async fn a_call_of_a_server_without_a_store_has_perhaps_run_after_a_restart() {
    let store = Memory::default();
    for resumes in [None, Some(false), Some(true)] {
        let room = AgentServer::builder(Room::new()).start().await.unwrap();
        let keeper = serve(store.clone(), "main").await;
        let toolbox = Toolbox::builder()
            .server(&keeper)
            .server(&room)
            .build()
            .await
            .unwrap();
        let build = move |_| {
            let calls = [("switch_on", json!({})), ("sleep", json!({}))];
            let model = match resumes {
                None => Scripted::new().calls(calls),
                Some(_) => Scripted::new().text("Perhaps."),
            };
            Chat::builder(model, toolbox.clone())
        };
        let chats = Conversations::open(&keeper, build).await.unwrap();
        match resumes {
            None => {
                for id in ["true", "false"] {
                    let mut events = chats.start(id, "Light!").await.unwrap().events();
                    until(&mut events, |event| matches!(event, Event::Called(_))).await;
                }
            }
            Some(resumes) => {
                let id = resumes.to_string();
                let running = if resumes {
                    chats.resume(&id).await.unwrap()
                } else {
                    chats.start(&id, "Light!").await.unwrap()
                };
                assert_eq!(wait(&running).await.text(), "Perhaps.");
                let told = results(&chats.get(&id).await.unwrap().history);
                assert!(
                    told.iter().all(|told| told.contains("it has perhaps run")),
                    "{told:?}"
                );
                assert_eq!(room.agent().await.unwrap().state().lamp.times, 0);
            }
        }
        crash(keeper).await;
    }
}

#[timed_test::test]
async fn a_new_message_after_a_crash_tells_which_calls_have_not_run() {
    let store = Memory::default();
    let faulty = FaultyStore::new(store.clone());
    let calls = ["a", "b"].map(|text| ("add_note", json!({ "text": text })));
    let (server, chats) = open(faulty.clone(), Scripted::new().calls(calls)).await;
    faulty.on_commit(3, Fault::CrashBefore); // the message, the completion, the first call
    let _running = chats.start("ann", "A and B.").await.unwrap();
    faulty.crashed().await;
    server.kill();
    faulty.restart();
    server.closed().await;
    let (server, chats) = open(faulty, Scripted::new().text("Only A.")).await;
    let mut events = chats.follow("ann", None).unwrap();
    chats.send("ann", "Well?").await.unwrap();
    let is_end = |event: &Event| matches!(event, Event::StepEnd(_));
    let Event::StepEnd(settled) = until(&mut events, is_end).await else {
        unreachable!()
    };
    let told = results(&chats.get("ann").await.unwrap().history);
    assert_eq!(told, ["1", "it was not run: the program stopped before"]);
    assert_eq!(results(&settled.messages), told);
    until(&mut events, |event| matches!(event, Event::Done(_))).await; // one turn has one end
    chats.delete("ann").await.unwrap();
    assert!(events.next().await.is_none());
    assert_eq!(lines(&server).await, ["a"]);
}
