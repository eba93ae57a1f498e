//! Conversations that another process began.

use super::desk::*;
use skill_agent::chat::RewindError;
use skill_agent::chat::{Chat, Conversations, Scripted};
use skill_agent::prelude::*;
use skill_agent::store::{Memory, Store};
use skill_agent::testing::{Fault, FaultyStore};
use skill_agent::toolbox::Toolbox;

#[timed_test::test]
async fn turns_of_another_process_are_taken_back() {
    let store = Memory::default();
    let (server, chats) = open(store.clone()).await;
    say(
        &chats,
        "ann",
        ["note a; count", "note b", "note c; count; note d"],
    )
    .await;
    server.kill();
    server.closed().await;
    let (server, chats) = open(store.clone()).await;
    chats.rewind("ann", 2).await.unwrap();
    assert_eq!(desk(&server).await, (owned(["a"]), 1));
    server.stop().await.unwrap();
    let (server, chats) = open(store.clone()).await;
    chats.redo("ann").await.unwrap();
    assert_eq!(desk(&server).await, (owned(["a", "b", "c", "d"]), 2));
    chats.rewind("ann", 1).await.unwrap();
    server.stop().await.unwrap();
    let (server, chats) = open(store).await;
    say(&chats, "ann", ["note e"]).await;
    assert_eq!(desk(&server).await, (owned(["e"]), 0));
    assert_eq!(chats.get("ann").await.unwrap().info.last_turn, Some(4));
}

#[timed_test::test]
async fn a_change_before_a_restart_is_named_after_it() {
    // a stop writes a snapshot, and a kill leaves the records
    for kills in [true, false] {
        let store = Memory::default();
        let (server, chats) = open(store.clone()).await;
        say(&chats, "ann", ["note a; count"]).await;
        say(&chats, "bob", ["note b"]).await;
        server.call(Count {}).await.unwrap();
        if kills {
            server.kill();
            server.closed().await;
        } else {
            server.stop().await.unwrap();
        }
        let (server, chats) = open(store.clone()).await;
        let preview = chats.preview_rewind("ann", 1).await.unwrap();
        assert_eq!(preview.states.len(), 2);
        let error = chats.rewind("ann", 1).await.unwrap_err();
        let RewindError::Changed { skill, by, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!(
            (&**skill, &**by),
            ("notes", "the action `add_note` of the conversation `bob`"),
            "kills: {kills}"
        );
        chats.rewind("bob", 1).await.unwrap();
        let error = chats.rewind("ann", 1).await.unwrap_err();
        let RewindError::Changed { skill, by, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!((&**skill, &**by), ("tally", "the action `count`"));
        server.stop().await.unwrap();
    }
}

#[timed_test::test]
async fn a_follow_up_that_runs_after_a_restart_belongs_to_its_turn() {
    let faulty = FaultyStore::new(Memory::default());
    let (server, chats) = open(faulty.clone()).await;
    say(&chats, "ann", ["note a"]).await;
    // the message, and the call; a call that only reads needs no record of the completion
    faulty.on_commit(2, Fault::CrashBefore);
    let _running = chats.start("ann", "pass").await.unwrap();
    faulty.crashed().await;
    server.kill();
    faulty.restart();
    server.closed().await;
    let (server, chats) = open(faulty).await;
    crate::support::eventually(async || desk(&server).await.1 == 1).await;
    let preview = chats.preview_rewind("ann", 2).await.unwrap();
    assert!(preview.refused.is_none(), "{preview:?}");
    assert_eq!(preview.states[0].skill, "tally");
    chats.rewind("ann", 2).await.unwrap();
    assert_eq!(desk(&server).await, (owned(["a"]), 0));
}

#[timed_test::test]
async fn a_damaged_or_lost_row_makes_the_turn_too_old() {
    for table in ["turn_states", "turn_marks"] {
        let store = Memory::default();
        let (server, chats) = open(store.clone()).await;
        say(&chats, "ann", ["note a", "note b"]).await;
        server.stop().await.unwrap();
        {
            let mut log = store.open("desk-1").unwrap();
            log.recover().await.unwrap();
            let rows = log.scan(table, b"", 10).await.unwrap();
            assert_eq!(rows.len(), 2, "{table}");
            let commit = skill_agent::store::Commit::default();
            let commit = match table {
                "turn_states" => commit.delete(table, rows[1].0.clone()),
                _ => commit.put(table, rows[1].0.clone(), "damaged!"),
            };
            log.commit(commit).await.unwrap();
        }
        let (server, chats) = open(store).await;
        let error = chats.rewind("ann", 2).await.unwrap_err();
        assert!(matches!(error, RewindError::TooOld { .. }), "{error}");
        let preview = chats.preview_rewind("ann", 2).await.unwrap();
        assert!(matches!(preview.refused, Some(RewindError::TooOld { .. })));
        // later turns can be taken back
        say(&chats, "ann", ["note c"]).await;
        assert_eq!(desk(&server).await.0, ["a", "b", "c"]);
        chats.rewind("ann", 3).await.unwrap();
        assert_eq!(desk(&server).await.0, ["a", "b"]);
    }
}

/// Turns with several steps, and calls with effects outside.
async fn steps_on(server: &AgentServer<Desk>) -> Conversations {
    let note = |text: &str| [("add_note", serde_json::json!({ "text": text }))];
    let fetch = [("fetch", serde_json::json!({ "text": "x" }))];
    let model = Scripted::new()
        .text("1")
        .calls(note("a"))
        .calls(fetch.clone());
    let model = model.text("2").calls(note("b")).calls(fetch).text("3");
    let toolbox = Toolbox::of(server);
    let build = move |_| Chat::builder(model.clone(), toolbox.clone());
    Conversations::open(server, build).await.unwrap()
}

#[timed_test::test]
async fn a_log_that_lost_its_end_uses_no_number_of_a_turn_again() {
    let mut cut = 0;
    loop {
        let store = Memory::default();
        let server = serve(store.clone()).await;
        let chats = steps_on(&server).await;
        say(&chats, "ann", ["Hi.", "Note a.", "Note b."]).await;
        server.kill();
        server.closed().await;
        drop(chats);
        store.tear("desk-1", cut);
        let (server, chats) = open(store).await;
        if chats.list("").await.unwrap().is_empty() {
            break;
        }
        let page = chats.get("ann").await.unwrap();
        for (at, start) in page.turns.iter().enumerate() {
            assert!(start.message < page.history.len(), "cut by {cut}");
            let fork = format!("ann/{at}");
            chats.fork("ann", start.turn, fork).await.unwrap();
        }
        let before = desk(&server).await;
        say(&chats, "ann", ["note z", "count"]).await;
        let page = chats.get("ann").await.unwrap();
        let new = &page.turns[page.turns.len() - 2];
        assert_eq!(page.history[new.message].text(), "note z", "cut by {cut}");
        chats.rewind("ann", new.turn).await.unwrap();
        assert_eq!(desk(&server).await, before, "cut by {cut}");
        server.stop().await.unwrap();
        cut += 97;
    }
    assert!(cut > 97 * 8);
}

#[timed_test::test]
async fn a_turn_without_its_first_message_is_none() {
    let store = Memory::default();
    let (server, chats) = open(store.clone()).await;
    say(&chats, "ann", ["note a", "note b"]).await;
    server.stop().await.unwrap();
    {
        let mut log = store.open("desk-1").unwrap();
        log.recover().await.unwrap();
        let (heads, rows) = ("group_heads", "group_rows");
        let head = log.scan(heads, b"", 1).await.unwrap().remove(0).0;
        let mut commit = skill_agent::store::Commit::default();
        commit = commit.put(heads, head, 0_u64.to_be_bytes());
        for (key, _) in log.scan(rows, b"", 100).await.unwrap() {
            let number = u64::from_be_bytes(key[8..].try_into().unwrap());
            // each turn has four messages
            if (5..9).contains(&number) {
                commit = commit.delete(rows, key);
            }
        }
        log.commit(commit).await.unwrap();
    }
    let (server, chats) = open(store.clone()).await;
    let starts = async |chats: &Conversations| {
        let turns = chats.get("ann").await.unwrap().turns.into_iter();
        turns.map(|start| start.message).collect::<Vec<_>>()
    };
    assert_eq!(starts(&chats).await, [0]);
    chats.fork("ann", 2, "bob").await.unwrap();
    assert_eq!(said(&chats, "bob").await, ["note a"]);
    say(&chats, "ann", ["note c"]).await;
    server.stop().await.unwrap();
    let (server, chats) = open(store).await;
    assert_eq!(starts(&chats).await, [0, 4]);
    let last = chats.get("ann").await.unwrap().info.last_turn.unwrap();
    chats.rewind("ann", last).await.unwrap();
    assert_eq!(desk(&server).await.0, ["a", "b"]);
}
