//! The agent and the models of the tests.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::chat::{
    BoxStream, Chat, ChatModel, ChatRequest, ContextPart, ConversationEvents, Conversations, Event,
    Message, ModelError, ModelEvent, ModelProfile, OpenConversations, RunningTurn, Scripted,
    Stream, Turn,
};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::store::Store;
use skill_agent::toolbox::Toolbox;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use tokio::sync::{Semaphore, watch};

/// Notes of one person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "notes",
    actions(AddNote, CountVisit, ListNotes, ClearNotes, Sleep)
)]
pub struct Notes {
    pub lines: Vec<String>,
    pub visits: u64,
}

/// Keep a note, and say how many there are.
#[action]
pub fn add_note(notes: &mut Notes, text: String) -> usize {
    notes.lines.push(text);
    notes.lines.len()
}

/// Count a visit.
#[action]
pub fn count_visit(notes: &mut Notes) -> u64 {
    notes.visits += 1;
    notes.visits
}

/// All notes.
#[action(read_only)]
pub fn list_notes(notes: &Notes) -> Vec<String> {
    notes.lines.clone()
}

/// Throw all notes away.
#[action(destructive)]
pub fn clear_notes(notes: &mut Notes) {
    notes.lines.clear();
}

/// Sleep for a day.
#[action]
pub async fn sleep(_: &Notes) {
    tokio::time::sleep(std::time::Duration::from_secs(24 * 60 * 60)).await;
}

agent! {
    pub struct Assistant {
        name: "assistant",
        skills: [Notes],
    }
}

pub async fn serve(store: impl Store, id: &str) -> AgentServer<Assistant> {
    AgentServer::builder(Assistant::with_id(id))
        .store(store)
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .approval_secret("the secret of this test, which has 32 bytes")
        .grace(std::time::Duration::ZERO)
        .start()
        .await
        .unwrap()
}

/// A server, and conversations with one agent and one model.
pub async fn open(
    store: impl Store,
    model: impl ChatModel + Clone,
) -> (AgentServer<Assistant>, Conversations) {
    let server = serve(store, "main").await;
    let chats = open_on(&server, model).await;
    (server, chats)
}

pub async fn open_on(
    server: &AgentServer<Assistant>,
    model: impl ChatModel + Clone,
) -> Conversations {
    open_with(server, model).await.unwrap()
}

/// Like [`open_on`], with one turn at a time.
pub async fn open_one_by_one(
    server: &AgentServer<Assistant>,
    model: impl ChatModel + Clone,
) -> Conversations {
    open_with(server, model).running(1).await.unwrap()
}

fn open_with(server: &AgentServer<Assistant>, model: impl ChatModel + Clone) -> OpenConversations {
    let toolbox = Toolbox::of(server);
    let build = move |_| Chat::builder(model.clone(), toolbox.clone());
    Conversations::open(server, build)
}

/// Adds a note without a chat.
pub async fn note(server: &AgentServer<Assistant>, text: &str) {
    let text = text.to_owned();
    server.call(AddNote { text }).await.unwrap();
}

/// Ends a server as a crash does.
pub async fn crash(server: AgentServer<Assistant>) {
    server.kill();
    server.closed().await;
}

pub async fn lines(server: &AgentServer<Assistant>) -> Vec<String> {
    server.agent().await.unwrap().state().notes.lines.clone()
}

pub fn noting(text: &str) -> Scripted {
    Scripted::new().calls([("add_note", json!({ "text": text }))])
}

/// A model that adds a note for one message, and then answers.
#[derive(Clone)]
pub struct Noting;

impl ChatModel for Noting {
    fn profile(&self) -> ModelProfile {
        Scripted::new().profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let last = request.messages.last().unwrap();
        let script = match last.is_of_user() {
            true if last.text() == "Milk." => noting("ann"),
            _ => Scripted::new().text("1"),
        };
        script.stream(request)
    }
}

/// The texts of messages.
pub fn texts(messages: &[Message]) -> Vec<String> {
    messages
        .iter()
        .map(|message| message.text().to_string())
        .collect()
}

pub async fn wait(turn: &RunningTurn) -> Turn {
    turn.wait().await.unwrap()
}

/// Reads events up to the first one that fits.
pub async fn until(events: &mut ConversationEvents, fits: impl Fn(&Event) -> bool) -> Event {
    loop {
        let event = events.next().await.expect("the stream goes on");
        let event = event.event.unwrap();
        if fits(&event) {
            return event;
        }
    }
}

/// A scripted model whose requests wait at a gate.
#[derive(Clone)]
pub struct Gated {
    script: Scripted,
    permits: Arc<Semaphore>,
    asked: watch::Sender<usize>,
}

impl Gated {
    pub fn new(script: Scripted) -> Self {
        Self {
            script,
            permits: Arc::new(Semaphore::new(0)),
            asked: watch::Sender::new(0),
        }
    }

    /// Waits until so many requests have come.
    pub async fn asked(&self, times: usize) {
        let mut asked = self.asked.subscribe();
        asked.wait_for(|asked| *asked >= times).await.unwrap();
    }

    /// Lets requests pass.
    pub fn pass(&self, requests: usize) {
        self.permits.add_permits(requests);
    }

    pub fn requests(&self) -> Vec<ChatRequest> {
        self.script.requests()
    }
}

impl ChatModel for Gated {
    fn profile(&self) -> ModelProfile {
        self.script.profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let stream = self.script.stream(request);
        self.asked.send_modify(|asked| *asked += 1);
        let permits = Arc::clone(&self.permits);
        let gate = Box::pin(async move { permits.acquire_owned().await.unwrap().forget() });
        Box::pin(AtGate {
            gate: Some(gate),
            stream,
        })
    }
}

struct AtGate {
    gate: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    stream: BoxStream<'static, Result<ModelEvent, ModelError>>,
}

impl Stream for AtGate {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<Option<Self::Item>> {
        if let Some(gate) = &mut self.gate {
            std::task::ready!(gate.as_mut().poll(cx));
            self.gate = None;
        }
        self.stream.as_mut().poll_next(cx)
    }
}

/// Polls a future so many times, and drops it. Returns whether it has ended.
pub async fn poll_times<F: Future>(future: F, times: usize) -> bool {
    let mut future = pin!(future);
    for _ in 0..times {
        let polled = std::future::poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx).is_ready()));
        if polled.await {
            return true;
        }
        tokio::task::yield_now().await;
    }
    false
}

/// Waits until something holds.
pub async fn eventually(mut holds: impl AsyncFnMut() -> bool) {
    while !holds().await {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
}

/// The results of calls in messages, as texts.
pub fn results(messages: &[Message]) -> Vec<String> {
    let results = messages.iter().flat_map(Message::results);
    results.map(|part| part.text().into_owned()).collect()
}

pub fn json_of(messages: &[Message]) -> Value {
    serde_json::to_value(messages).unwrap()
}

/// Returns the parts that the chat added to a message.
pub fn contexts(message: &Message) -> Vec<&ContextPart> {
    message.contexts().collect()
}
