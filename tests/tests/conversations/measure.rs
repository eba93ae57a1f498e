//! Measures long conversations. A short run is a test; a long one prints its numbers:
//! `MEASURE=1000 cargo test -p skill-tests --test conversations measure -- --nocapture`.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{
    BoxStream, Chat, ChatModel, ChatRequest, Message, ModelError, ModelEvent, ModelProfile,
    Scripted,
};
use skill_agent::prelude::*;
use skill_agent::store::{Memory, Redb, Store};
use skill_agent::toolbox::Toolbox;
use std::time::{Duration, Instant};

fn turns() -> u64 {
    std::env::var("MEASURE").map_or(20, |turns| turns.parse().unwrap())
}

/// A model that counts a visit in its first step, and then answers.
#[derive(Clone)]
struct Counting;

impl ChatModel for Counting {
    fn profile(&self) -> ModelProfile {
        Scripted::new().profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let script = if request.messages.last().unwrap().is_of_user() {
            Scripted::new().calls([("count_visit", json!({}))])
        } else {
            Scripted::new().text("I noted that you want to buy milk tomorrow.")
        };
        script.stream(request)
    }
}

async fn sent(store: impl Store, turns: u64) -> Duration {
    let (server, chats) = open(store, Counting).await;
    let began = Instant::now();
    for _ in 0..turns {
        chats
            .send("ann", "Please buy milk tomorrow!")
            .await
            .unwrap();
    }
    let time = began.elapsed();
    server.stop().await.unwrap();
    time
}

async fn sent_plainly(turns: u64) -> Duration {
    let server = AgentServer::builder(Assistant::new())
        .start()
        .await
        .unwrap();
    let mut chat = Chat::builder(Counting, Toolbox::of(&server))
        .build()
        .unwrap();
    let began = Instant::now();
    for _ in 0..turns {
        chat.send("Please buy milk tomorrow!").await.unwrap();
    }
    began.elapsed()
}

#[timed_test::test]
async fn measured_turns() {
    let turns = turns();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agents.redb");
    let on_disk = sent(Redb::open(&path).unwrap(), turns).await;
    let in_memory = sent(Memory::default(), turns).await;
    let plain = sent_plainly(turns).await;
    let file = std::fs::metadata(&path).unwrap().len();
    let began = Instant::now();
    let server = serve(Redb::open(&path).unwrap(), "main").await;
    let started = began.elapsed();
    let began = Instant::now();
    let chats = open_on(&server, Counting).await;
    let opened = began.elapsed();
    let began = Instant::now();
    chats
        .send("ann", "Please buy milk tomorrow!")
        .await
        .unwrap();
    let first = began.elapsed();
    let exported = chats.export("ann").await.unwrap().len() as u64;
    let each = |time: Duration| time / u32::try_from(turns * 2).unwrap();
    println!(
        "{turns} turns of 2 steps: {} bytes of JSON and {} bytes of the file per turn",
        exported / (turns + 1),
        file / turns
    );
    println!(
        "a step: {:?} on disk, {:?} in memory, {:?} in a plain chat",
        each(on_disk),
        each(in_memory),
        each(plain)
    );
    println!(
        "the server starts in {started:?}, the conversations open in {opened:?}, the first turn takes {first:?}"
    );
    assert_eq!(chats.list("").await.unwrap()[0].turns, turns + 1);
    crash(server).await;
}

#[timed_test::test]
async fn a_measured_conversation_of_many_bytes() {
    let size = if turns() > 20 { 10 << 20 } else { 1 << 20 };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agents.redb");
    let pair = [
        Message::user("x".repeat(10_000)),
        Message::assistant("y".repeat(10_000)),
    ];
    let history: Vec<_> = std::iter::repeat_n(pair, size / 20_000).flatten().collect();
    let json = json_of(&history).to_string();
    let server = serve(Redb::open(&path).unwrap(), "main").await;
    let chats = open_on(&server, Counting).await;
    let began = Instant::now();
    chats.import("ann", &json).await.unwrap();
    let imported = began.elapsed();
    server.stop().await.unwrap();
    drop(chats);
    let began = Instant::now();
    let server = serve(Redb::open(&path).unwrap(), "main").await;
    let chats = open_on(&server, Counting).await;
    let opened = began.elapsed();
    let began = Instant::now();
    assert_eq!(chats.get("ann").await.unwrap().history.len(), history.len());
    let got = began.elapsed();
    let began = Instant::now();
    chats.send("ann", "Hi.").await.unwrap();
    let first = began.elapsed();
    let began = Instant::now();
    chats.send("ann", "Hi.").await.unwrap();
    let second = began.elapsed();
    println!(
        "{} bytes: imported in {imported:?}, opened in {opened:?}, read in {got:?}, first turn {first:?}, second {second:?}",
        json.len()
    );
    crash(server).await;
}
