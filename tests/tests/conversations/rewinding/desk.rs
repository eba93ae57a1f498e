//! The agent of these tests, and a model that does what the message says.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::chat::{
    BoxStream, Chat, ChatModel, ChatRequest, Conversations, ModelError, ModelEvent, ModelProfile,
    Scripted,
};
use skill_agent::core::directive::every;
use skill_agent::prelude::*;
use skill_agent::server::clock::ManualClock;
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::store::Store;
use skill_agent::toolbox::Toolbox;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "notes",
    actions(
        AddNote, Fill, ClearNotes, Remind, Ring, Chime, Publish, Pass, Fetch, Later, Ponder,
        Glance, OpenDrawer
    )
)]
pub struct Notes {
    pub lines: Vec<String>,
    /// Its order differs after a restart.
    pub lengths: HashMap<String, usize>,
}

/// A tally.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "tally", actions(Count, Swap))]
pub struct Tally {
    pub count: u64,
    pub pair: Vec<u64>,
    /// Its order differs after a restart.
    pub seen: HashSet<u64>,
}

/// Keep a note.
#[action(on("notes.reminded"))]
pub fn add_note(notes: &mut Notes, text: String) -> usize {
    notes.lengths.insert(text.clone(), text.len());
    notes.lines.push(text);
    notes.lines.len()
}

/// Keep a long note.
#[action]
pub fn fill(notes: &mut Notes, bytes: usize) {
    notes.lines = vec!["x".repeat(bytes)];
}

/// Throw all notes away.
#[action(destructive)]
pub fn clear_notes(notes: &mut Notes) {
    notes.lines.clear();
}

/// Keep a note in an hour.
#[action]
pub fn remind(_: &Notes, cx: &mut Context<Notes>, text: String) {
    let signal = Signal::new("notes.reminded", json!({ "text": text }));
    cx.schedule(Duration::from_secs(3600), signal);
}

/// Keep a note in an hour, instead of the one that waits.
#[action]
pub fn ring(_: &Notes, cx: &mut Context<Notes>, text: String) {
    let signal = Signal::new("notes.reminded", json!({ "text": text }));
    cx.schedule_as("ring", Duration::from_secs(3600), signal);
}

/// Keep a note every hour.
#[action]
pub fn chime(_: &Notes, cx: &mut Context<Notes>, text: String) {
    let signal = Signal::new("notes.reminded", json!({ "text": text }));
    cx.repeat_as("chime", every(Duration::from_secs(3600)), signal);
}

/// Answer with a text, and count after it.
#[action(read_only)]
pub async fn glance(_: &Notes, cx: &mut Context<Notes>) -> usize {
    cx.run(Instruction::new("count", json!({})));
    1
}

/// Publish the notes.
#[action]
pub fn publish(_: &Notes, cx: &mut Context<Notes>) {
    cx.emit(Signal::new("notes.published", json!({})));
}

/// Count without an answer.
#[action]
pub fn pass(_: &Notes, cx: &mut Context<Notes>) {
    cx.run(Instruction::new("count", json!({})));
}

/// Open the drawer.
#[action]
pub fn open_drawer(_: &Notes, cx: &mut Context<Notes>) {
    cx.mount("drawer", &json!({}));
}

/// Fetch a note.
#[action]
pub async fn fetch(_: &Notes, text: String) -> String {
    text
}

/// Keep a note after a while.
#[action]
pub fn later(_: &Notes, cx: &mut Context<Notes>, text: String) {
    cx.run(Instruction::new("ponder", json!({ "text": text })));
}

/// Lets `ponder` end. Only one test uses it.
pub static PONDERED: Semaphore = Semaphore::const_new(0);

/// Ponder, and keep a note.
#[action]
pub async fn ponder(_: &Notes, cx: &mut Context<Notes>, text: String) {
    PONDERED.acquire().await.unwrap().forget();
    cx.then(AddNote { text });
}

/// Swap a pair of numbers.
#[action]
pub fn swap(tally: &mut Tally) {
    tally.pair = match tally.pair[..] {
        [one, other] => vec![other, one],
        _ => vec![1, 2],
    };
}

/// Count.
#[action]
pub fn count(tally: &mut Tally) -> u64 {
    tally.count += 1;
    tally.seen.insert(tally.count);
    tally.count
}

/// A drawer, which may be mounted.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "drawer", actions(PutIn))]
pub struct Drawer {
    pub things: HashSet<String>,
}

/// Put a thing in.
#[action]
pub fn put_in(drawer: &mut Drawer, text: String) -> usize {
    drawer.things.insert(text);
    drawer.things.len()
}

agent! {
    pub struct Desk {
        name: "desk",
        skills: [Notes, Tally],
        mounted: [Drawer],
    }
}

/// A model that makes a call for each part of the message, and then answers.
#[derive(Clone)]
pub struct Doer;

impl ChatModel for Doer {
    fn profile(&self) -> ModelProfile {
        Scripted::new().profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let last = request.messages.last().unwrap();
        let text = last.text().to_string();
        let calls: Vec<_> = text.split("; ").filter_map(call).collect();
        let script = if last.is_of_user() && !calls.is_empty() {
            Scripted::new().calls(calls)
        } else {
            Scripted::new().text("Done.")
        };
        script.stream(request)
    }
}

fn call(part: &str) -> Option<(&'static str, Value)> {
    let (word, text) = part.split_once(' ').unwrap_or((part, ""));
    let with_text = json!({ "text": text });
    Some(match word {
        "note" => ("add_note", with_text),
        "fill" => ("fill", json!({ "bytes": text.parse::<usize>().unwrap() })),
        "clear" => ("clear_notes", json!({})),
        "remind" => ("remind", with_text),
        "publish" => ("publish", json!({})),
        "pass" => ("pass", json!({})),
        "fetch" => ("fetch", with_text),
        "later" => ("later", with_text),
        "ring" => ("ring", with_text),
        "chime" => ("chime", with_text),
        "glance" => ("glance", json!({})),
        "swap" => ("swap", json!({})),
        "count" => ("count", json!({})),
        "print" => ("print", with_text),
        "open" => ("open_drawer", json!({})),
        "put" => ("put_in", with_text),
        "book" => ("book", with_text),
        _ => return None,
    })
}

pub async fn serve(store: impl Store) -> AgentServer<Desk> {
    serve_at(store, ManualClock::new()).await
}

pub async fn serve_at(store: impl Store, clock: ManualClock) -> AgentServer<Desk> {
    AgentServer::builder(Desk::with_id("desk-1"))
        .store(store)
        .clock(clock)
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .approval_secret("the secret of this test, which has 32 bytes")
        .grace(Duration::ZERO)
        .start()
        .await
        .unwrap()
}

pub async fn open_on(server: &AgentServer<Desk>) -> Conversations {
    let toolbox = Toolbox::of(server);
    let build = move |_| Chat::builder(Doer, toolbox.clone());
    Conversations::open(server, build).await.unwrap()
}

pub async fn open(store: impl Store) -> (AgentServer<Desk>, Conversations) {
    let server = serve(store).await;
    let chats = open_on(&server).await;
    (server, chats)
}

/// Sends messages. Each begins a turn.
pub async fn say<const N: usize>(chats: &Conversations, id: &str, messages: [&str; N]) {
    for message in messages {
        chats.send(id, message).await.unwrap();
    }
}

/// The notes and the tally.
pub async fn desk(server: &AgentServer<Desk>) -> (Vec<String>, u64) {
    let agent = server.agent().await.unwrap();
    let state = agent.state();
    (state.notes.lines.clone(), state.tally.count)
}

/// The texts of the user's messages.
pub async fn said(chats: &Conversations, id: &str) -> Vec<String> {
    let page = chats.get(id).await.unwrap();
    let of_user = page.history.iter().filter(|message| message.is_of_user());
    of_user.map(|message| message.text().to_string()).collect()
}

pub fn owned<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}
