//! The history and the states after a rewind, and after redo.

use super::desk::*;
use crate::support::{json_of, until};
use skill_agent::chat::{ChatError, Event, RewindError};
use skill_agent::prelude::*;
use skill_agent::store::Memory;

#[timed_test::test]
async fn a_rewind_puts_history_and_states_back_and_redo_brings_them_back() {
    let (server, chats) = open(Memory::default()).await;
    say(
        &chats,
        "ann",
        ["note a; count", "note b", "count; note c", "note d"],
    )
    .await;
    let before = json_of(&chats.get("ann").await.unwrap().history);
    let rewound = chats.rewind("ann", 2).await.unwrap();
    assert_eq!((rewound.turn, rewound.turns), (2, 3));
    assert_eq!(rewound.message.text(), "note b");
    assert_eq!(desk(&server).await, (owned(["a"]), 1));
    assert_eq!(said(&chats, "ann").await, ["note a; count"]);
    let page = chats.get("ann").await.unwrap();
    assert_eq!((page.info.turns, page.info.last_turn), (1, Some(1)));
    let again = chats.redo("ann").await.unwrap();
    assert_eq!((again.turn, again.turns), (2, 3));
    assert_eq!(again.message.text(), "note b");
    assert_eq!(desk(&server).await, (owned(["a", "b", "c", "d"]), 2));
    let page = chats.get("ann").await.unwrap();
    assert_eq!(json_of(&page.history), before);
    let starts: Vec<_> = page
        .turns
        .iter()
        .map(|start| (start.turn, start.message))
        .collect();
    assert_eq!(starts, [(1, 0), (2, 4), (3, 8), (4, 12)]);
    assert_eq!((page.info.turns, page.info.last_turn), (4, Some(4)));
}

#[timed_test::test]
async fn after_a_rewind_the_same_message_runs_its_actions_again_once() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a", "note b; count"]).await;
    chats.rewind("ann", 2).await.unwrap();
    say(&chats, "ann", ["note b; count"]).await;
    assert_eq!(desk(&server).await, (owned(["a", "b"]), 1));
    // the calls of both turns have the same ids, and different keys
    let page = chats.get("ann").await.unwrap();
    assert_eq!(page.info.last_turn, Some(3));
    let error = chats.rewind("ann", 2).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the conversation `ann` has no turn 2; its turns are 1, 3"
    );
    chats.rewind("ann", 3).await.unwrap();
    assert_eq!(desk(&server).await, (owned(["a"]), 0));
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(desk(&server).await, (owned([]), 0));
    let page = chats.get("ann").await.unwrap();
    assert_eq!((page.history.len(), page.info.last_turn), (0, None));
    assert_eq!(page.info.title, "");
}

#[timed_test::test]
async fn several_rewinds_are_brought_back_one_by_one() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a", "note b", "note c; count"]).await;
    chats.rewind("ann", 3).await.unwrap();
    assert_eq!(desk(&server).await, (owned(["a", "b"]), 0));
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(desk(&server).await, (owned([]), 0));
    assert_eq!(chats.redo("ann").await.unwrap().turns, 2);
    assert_eq!(desk(&server).await, (owned(["a", "b"]), 0));
    assert_eq!(said(&chats, "ann").await, ["note a", "note b"]);
    assert_eq!(chats.redo("ann").await.unwrap().turn, 3);
    assert_eq!(desk(&server).await, (owned(["a", "b", "c"]), 1));
    let error = chats.redo("ann").await.unwrap_err();
    assert!(
        matches!(error, RewindError::NothingToRedo { .. }),
        "{error}"
    );
}

#[timed_test::test]
async fn the_next_message_drops_what_redo_would_bring_back() {
    let store = Memory::default();
    let (server, chats) = open(store.clone()).await;
    say(&chats, "ann", ["note a", "note b"]).await;
    chats.rename("ann", "Notes").await.unwrap();
    chats.rewind("ann", 1).await.unwrap();
    chats.rename("ann", "Lists").await.unwrap();
    chats.preview_redo("ann").await.unwrap();
    say(&chats, "ann", ["note c"]).await;
    let error = chats.redo("ann").await.unwrap_err();
    assert!(
        matches!(error, RewindError::NothingToRedo { .. }),
        "{error}"
    );
    assert_eq!(said(&chats, "ann").await, ["note c"]);
    assert_eq!(desk(&server).await.0, ["c"]);
    assert_eq!(chats.get("ann").await.unwrap().info.title, "Lists");
    server.stop().await.unwrap();
    let (server, chats) = open(store).await;
    let error = chats.redo("ann").await.unwrap_err();
    assert!(
        matches!(error, RewindError::NothingToRedo { .. }),
        "{error}"
    );
    assert_eq!(said(&chats, "ann").await, ["note c"]);
    chats.rewind("ann", 3).await.unwrap();
    assert_eq!(desk(&server).await.0, owned([]));
}

#[timed_test::test]
async fn the_effects_of_a_call_on_other_skills_are_taken_back_too() {
    let (server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["count", "pass", "pass; note a"]).await;
    assert_eq!(desk(&server).await, (owned(["a"]), 3));
    let preview = chats.preview_rewind("ann", 2).await.unwrap();
    assert!(preview.refused.is_none(), "{preview:?}");
    let states = preview.states.iter();
    let states: Vec<_> = states
        .map(|state| (&*state.agent, &*state.skill, &state.now, &state.then))
        .map(|(agent, skill, now, then)| {
            (agent, skill, now["count"].clone(), then["count"].clone())
        })
        .collect();
    assert_eq!(states[0], ("desk", "tally", 3.into(), 1.into()));
    assert_eq!(states[1].1, "notes");
    chats.rewind("ann", 2).await.unwrap();
    assert_eq!(desk(&server).await, (owned([]), 1));
}

#[timed_test::test]
async fn a_used_key_stays_used_after_a_rewind() {
    let (server, chats) = open(Memory::default()).await;
    let turn = chats.start_with_key("ann", "k", "note a").await.unwrap();
    turn.wait().await.unwrap();
    chats.rewind("ann", 1).await.unwrap();
    let refused = async || {
        chats
            .start_with_key("ann", "k", "note a")
            .await
            .unwrap_err()
    };
    let error = refused().await;
    assert!(matches!(error, ChatError::UsedKey { .. }), "{error}");
    assert!(
        error.to_string().contains("its turn was taken back"),
        "{error}"
    );
    say(&chats, "ann", ["note b"]).await;
    let error = refused().await;
    assert!(matches!(error, ChatError::UsedKey { .. }), "{error}");
    assert_eq!(desk(&server).await.0, ["b"]);
}

#[timed_test::test]
async fn readers_learn_that_the_history_has_changed() {
    let (_server, chats) = open(Memory::default()).await;
    say(&chats, "ann", ["note a", "note b"]).await;
    let last = chats.get("ann").await.unwrap().last_event;
    let mut follower = chats.follow("ann", last).unwrap();
    let mut reader = chats.events("ann", last).unwrap();
    let is_restart = |event: &Event| matches!(event, Event::Restarted);
    chats.rewind("ann", 2).await.unwrap();
    until(&mut follower, is_restart).await;
    until(&mut reader, is_restart).await;
    assert!(reader.next().await.is_none());
    let page = chats.get("ann").await.unwrap();
    let mut later = chats.events("ann", page.last_event).unwrap();
    assert!(later.next().await.is_none());
    chats.redo("ann").await.unwrap();
    until(&mut follower, is_restart).await;
}

#[timed_test::test]
async fn a_skill_that_a_turn_mounted_is_unmounted_and_mounted_again() {
    let store = Memory::default();
    let (server, chats) = open(store.clone()).await;
    let tools = async |server: &AgentServer<Desk>| server.tools().await.unwrap().len();
    let before = tools(&server).await;
    say(&chats, "ann", ["open", "put a", "put b"]).await;
    assert_eq!(tools(&server).await, before + 1);
    chats.rewind("ann", 3).await.unwrap();
    let state = server.state_json().await.unwrap();
    assert!(state.contains(r#"{"things":["a"]}"#), "{state}");
    chats.rewind("ann", 1).await.unwrap();
    assert_eq!(tools(&server).await, before);
    let arguments = r#"{"text":"c"}"#;
    server.call_json("put_in", arguments).await.unwrap_err();
    server.stop().await.unwrap();
    let (server, chats) = open(store).await;
    chats.redo("ann").await.unwrap();
    chats.redo("ann").await.unwrap();
    assert_eq!(tools(&server).await, before + 1);
    assert_eq!(server.call_json("put_in", arguments).await.unwrap(), "3");
    let error = chats.rewind("ann", 2).await.unwrap_err();
    assert!(
        error.to_string().contains("by the action `put_in`"),
        "{error}"
    );
}
