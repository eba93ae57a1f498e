//! Rows that are damaged, newer or old, and logs whose end is cut.

use crate::support::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::chat::{
    Chat, ChatError, ConversationStatus, Conversations, Event, Message, Scripted,
};
use skill_agent::server::Verdict;
use skill_agent::store::{Commit, Memory, Redb, Store, StoreError};
use skill_agent::testing::{Fault, FaultyStore};
use skill_agent::toolbox::Toolbox;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const HEADS: &str = "group_heads";
const ROWS: &str = "group_rows";

/// Writes a row of a log that no server uses. Its record is the first one.
async fn put(store: &Memory, table: &'static str, key: &[u64], value: &[u8]) {
    let mut log = store.open("main").unwrap();
    log.recover().await.unwrap();
    let key: Vec<u8> = key.iter().flat_map(|number| number.to_be_bytes()).collect();
    let value = [&0_u64.to_be_bytes(), value].concat();
    let commit = Commit::new([]).put(table, key, value);
    log.commit(commit).await.unwrap();
}

#[timed_test::test]
async fn a_damaged_row_is_an_error_of_its_conversation_only() {
    let store = Memory::default();
    let (server, chats) = open(store.clone(), Scripted::new().text("1").text("2")).await;
    for id in ["ann", "bob"] {
        chats.send(id, "Hi.").await.unwrap();
    }
    server.stop().await.unwrap();
    put(&store, ROWS, &[0, 2], b"nonsense").await;
    let (server, chats) = open(store, noting("milk").text("3")).await;
    assert_eq!(chats.list("").await.unwrap().len(), 2);
    for error in [
        chats.get("ann").await.unwrap_err(),
        chats.start("ann", "Hi.").await.unwrap_err(),
        chats.export("ann").await.unwrap_err(),
    ] {
        let text = error.to_string();
        assert!(matches!(error, ChatError::Stored { .. }), "{text}");
        assert!(
            text.starts_with("the stored conversation `ann` cannot be read: "),
            "{text}"
        );
    }
    chats.send("bob", "Milk.").await.unwrap();
    assert_eq!(lines(&server).await, ["milk"]);
    // it can be deleted and begun anew
    chats.delete("ann").await.unwrap();
    assert_eq!(chats.list("").await.unwrap().len(), 1);
}

#[timed_test::test]
async fn a_conversation_of_a_newer_build_is_an_error() {
    let store = Memory::default();
    let (server, chats) = open(store.clone(), Scripted::new().text("1")).await;
    chats.send("ann", "Hi.").await.unwrap();
    server.stop().await.unwrap();
    put(&store, HEADS, &[0], br#"{"form":3,"id":"ann"}"#).await;
    let server = serve(store, "main").await;
    let toolbox = Toolbox::of(&server);
    let open = || {
        let toolbox = toolbox.clone();
        Conversations::open(&server, move |_| {
            Chat::builder(Scripted::new(), toolbox.clone())
        })
    };
    for _ in 0..2 {
        let error = open().await.unwrap_err();
        assert!(matches!(error, ChatError::Stored { .. }), "{error}");
        let text = error.to_string();
        assert!(
            text.contains("it has form 3, and this build reads up to form 2"),
            "{text}"
        );
    }
}

/// Two turns that add notes, one of two parallel calls, and one with a decision, which is left in mid turn.
async fn story(store: &Memory) {
    let model = noting("a")
        .text("1")
        .calls([
            ("add_note", json!({ "text": "b" })),
            ("add_note", json!({ "text": "c" })),
        ])
        .text("2")
        .calls([
            ("add_note", json!({ "text": "d" })),
            ("clear_notes", json!({})),
        ])
        .calls([("add_note", json!({ "text": "e" }))])
        .events([])
        .then_stall();
    let (server, chats) = open(store.clone(), model).await;
    for text in ["A.", "B and C."] {
        chats.send("ann", text).await.unwrap();
    }
    let turn = chats.send("ann", "D, and clear.").await.unwrap();
    let id = &turn.pending[0].id;
    let deny = Verdict::Deny("no".into());
    let running = chats.decide("ann", id, deny).await.unwrap();
    let mut events = running.events();
    until(&mut events, |event| matches!(event, Event::StepEnd(_))).await;
    chats.steer("ann", "And E.").await.unwrap();
    crash(server).await;
}

/// Returns the notes that the results of the history say were added.
fn acknowledged(history: &[Message]) -> BTreeSet<String> {
    let calls = history.iter().flat_map(|message| message.calls());
    let results = history.iter().flat_map(|message| message.results());
    let added = calls.zip(results).filter(|(call, result)| {
        assert_eq!(call.id, result.id);
        call.call.name == "add_note" && !result.is_error()
    });
    let texts = added.map(|(call, _)| {
        let arguments: Value = serde_json::from_str(&call.call.arguments).unwrap();
        arguments["text"].as_str().unwrap().to_owned()
    });
    texts.collect()
}

fn assert_once(lines: &[String], cut: usize) {
    let once: BTreeSet<_> = lines.iter().collect();
    assert_eq!(once.len(), lines.len(), "cut by {cut}: {lines:?}");
}

#[timed_test::test]
async fn a_conversation_has_no_result_of_a_call_whose_state_is_gone_and_repeats_none() {
    let (mut cut, mut lengths) = (0, BTreeSet::new());
    loop {
        let store = Memory::default();
        story(&store).await;
        store.tear("main", cut);
        let (server, chats) = open(store, Scripted::new().text("Well.")).await;
        let before = lines(&server).await;
        let listed = chats.list("").await.unwrap();
        let Some(info) = listed.first() else {
            // not even its first record is left
            assert!(before.is_empty());
            break;
        };
        let page = chats.get(&info.id).await.unwrap();
        let built = Chat::builder(Scripted::new(), Toolbox::of(&server));
        built.history(page.history.clone()).build().unwrap();
        for text in acknowledged(&page.history) {
            assert!(
                before.contains(&text),
                "cut by {cut}: the state of {text} is gone"
            );
        }
        lengths.insert(page.history.len());
        // it goes on
        match page.info.status {
            ConversationStatus::Idle => drop(chats.send("ann", "Hi.").await.unwrap()),
            ConversationStatus::Waiting => {
                let deny = Verdict::Deny("no".into());
                let id = &page.pending[0].id;
                wait(&chats.decide("ann", id, deny).await.unwrap()).await;
            }
            ConversationStatus::Interrupted => {
                wait(&chats.resume("ann").await.unwrap()).await;
            }
            status => panic!("{status:?}"),
        }
        let after = lines(&server).await;
        assert_once(&after, cut);
        let page = chats.get("ann").await.unwrap();
        assert!(page.queued.is_empty());
        for text in acknowledged(&page.history) {
            assert!(after.contains(&text), "cut by {cut}");
        }
        // new events have new numbers, and new calls new keys
        crash(server).await;
        cut += 61;
    }
    assert!(lengths.len() > 8, "{lengths:?}");
}

/// The rows of a conversation, as they are in a log without the numbers of their records.
#[derive(Serialize, Deserialize)]
struct Golden {
    head: Value,
    rows: Vec<(u64, Value)>,
    export: Value,
}

fn golden(file: &str) -> PathBuf {
    let folder = std::env::var_os("GOLDEN_CONVERSATION");
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    folder.map_or(golden, PathBuf::from).join(file)
}

/// The newest golden conversation comes last.
const GOLDEN: [&str; 2] = ["conversation_1.json", "conversation_2.json"];

/// Writes the rows that the story leaves behind, for a new golden conversation: `GOLDEN_CONVERSATION=FOLDER cargo test -p skill-tests --test
/// conversations golden`. Old files stay as they are.
#[timed_test::test]
async fn a_new_golden_conversation_is_written() {
    let store = Memory::default();
    story(&store).await;
    let server = serve(store.clone(), "main").await;
    let chats = open_on(&server, Scripted::new()).await;
    let export = serde_json::from_str(&chats.export("ann").await.unwrap()).unwrap();
    server.stop().await.unwrap();
    let mut log = store.open("main").unwrap();
    log.recover().await.unwrap();
    let value = |value: &[u8]| serde_json::from_slice(&value[8..]).unwrap();
    let heads = log.scan(HEADS, &[], 10).await.unwrap();
    let rows = log.scan(ROWS, &[], 100).await.unwrap();
    let number = |key: &[u8]| u64::from_be_bytes(key[8..].try_into().unwrap());
    let rows = rows.iter().map(|(key, row)| (number(key), value(row)));
    let golden_conversation = Golden {
        head: value(&heads[0].1),
        rows: rows.collect(),
        export,
    };
    assert_eq!(golden_conversation.rows.len(), 18);
    if std::env::var_os("GOLDEN_CONVERSATION").is_some() {
        let text = serde_json::to_string_pretty(&golden_conversation).unwrap();
        std::fs::write(golden(GOLDEN[1]), text + "\n").unwrap();
    }
}

#[timed_test::test]
async fn the_golden_conversation_is_read() {
    for (file, has_head) in GOLDEN
        .into_iter()
        .flat_map(|file| [(file, true), (file, false)])
    {
        let text = std::fs::read_to_string(golden(file)).unwrap();
        let stored: Golden = serde_json::from_str(&text).unwrap();
        let store = Memory::default();
        serve(store.clone(), "main").await.stop().await.unwrap();
        let head = if has_head {
            stored.head.to_string()
        } else {
            String::new()
        };
        put(&store, HEADS, &[0], head.as_bytes()).await;
        for (number, value) in &stored.rows {
            put(&store, ROWS, &[0, *number], value.to_string().as_bytes()).await;
        }
        let model = Scripted::new().text("Done.");
        let (server, chats) = open(store, model.clone()).await;
        let page = chats.get("ann").await.unwrap();
        assert_eq!(page.info.title, "A.");
        assert_eq!(page.info.status, ConversationStatus::Interrupted);
        assert_eq!(
            (page.history.len(), texts(&page.queued)),
            (13, vec!["And E.".to_owned()])
        );
        assert_eq!(json_of(&page.history), stored.export["messages"]);
        wait(&chats.resume("ann").await.unwrap()).await;
        assert_eq!(model.requests()[0].messages.len(), 14);
        let imported = stored.export.to_string();
        chats.import("bob", imported).await.unwrap();
        let bob = chats.get("bob").await.unwrap();
        assert_eq!(json_of(&bob.history), stored.export["messages"]);
        crash(server).await;
    }
}

/// Changes one byte in each place of a file that has a text.
fn damage(path: &Path, text: &str) {
    let mut bytes = std::fs::read(path).unwrap();
    let found = bytes.windows(text.len()).enumerate();
    let found = found.filter(|(_, window)| *window == text.as_bytes());
    let places: Vec<_> = found.map(|(at, _)| at).collect();
    assert!(!places.is_empty(), "{text} is not in the file");
    for at in places {
        bytes[at] ^= 1;
    }
    std::fs::write(path, bytes).unwrap();
}

#[timed_test::test]
async fn a_damaged_file_is_an_error_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agents.redb");
    let model = noting("milk").text("1");
    let (server, chats) = open(Redb::open(&path).unwrap(), model).await;
    chats.send("ann", "The message of ann.").await.unwrap();
    server.stop().await.unwrap();
    drop(chats);
    damage(&path, "The message of ann.");
    let error = Redb::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    assert!(error.to_string().contains("agents.redb"), "{error}");
}

#[timed_test::test]
async fn a_read_that_fails_once_is_an_error_once() {
    let store = FaultyStore::new(Memory::default());
    let (server, chats) = open(store.clone(), noting("milk").text("1")).await;
    chats.send("ann", "Milk.").await.unwrap();
    server.stop().await.unwrap();
    drop(chats);
    let (server, chats) = open(store.clone(), Scripted::new().text("2")).await;
    store.on_read(0, Fault::Refuse);
    let error = chats.get("ann").await.unwrap_err();
    assert!(matches!(error, ChatError::Store(_)), "{error}");
    assert_eq!(chats.get("ann").await.unwrap().history.len(), 4);
    chats.send("ann", "Hi.").await.unwrap();
    assert_eq!(lines(&server).await, ["milk"]);
}
