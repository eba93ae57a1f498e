//! The agent of the tests, and events as short texts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_agent::chat::{
    Chat, ChatBuilder, ContextPart, Event, Message, OwnedTurnStream, Scripted, Stream, Turn,
    TurnStream,
};
use skill_agent::models::ToolCall;
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use tokio::sync::{Semaphore, mpsc};

/// Notes of one person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "notes",
    actions(
        AddNote,
        ListNotes,
        ClearNotes,
        RemoveNote,
        Crash,
        WriteSlowly,
        ReadSlowly
    ),
    instructions = "A note is one short sentence."
)]
pub struct Notes {
    pub lines: Vec<String>,
}

/// Keep a note, and say how many there are.
#[action]
pub fn add_note(notes: &mut Notes, text: String, #[arg(default = 1)] times: usize) -> usize {
    notes.lines.extend(vec![text; times]);
    notes.lines.len()
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

/// Throw a note away.
#[action(destructive)]
pub fn remove_note(notes: &mut Notes, text: String) -> usize {
    notes.lines.retain(|line| *line != text);
    notes.lines.len()
}

/// Fail badly.
#[action]
pub fn crash(_: &mut Notes) {
    panic!("the notes crashed");
}

/// Write something that takes time.
#[action]
pub async fn write_slowly(_: &Notes, gate: &Gate, name: String) -> String {
    gate.pass(&name).await
}

/// Read something that takes time.
#[action(read_only)]
pub async fn read_slowly(_: &Notes, gate: &Gate, name: String) -> String {
    gate.pass(&name).await
}

/// Letters to others.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "letters", actions(SendSlowly))]
pub struct Letters {
    pub sent: usize,
}

/// Send something that takes time.
#[action]
pub async fn send_slowly(_: &Letters, gate: &Gate, name: String) -> String {
    gate.pass(&name).await
}

agent! {
    pub struct Assistant {
        name: "assistant",
        skills: [Notes, Letters],
    }
}

/// A gate for slow actions: each reports that it has begun, and waits until it may pass.
#[derive(Clone)]
pub struct Gate {
    begun: mpsc::UnboundedSender<String>,
    open: Arc<Mutex<BTreeMap<String, Arc<Semaphore>>>>,
}

impl Gate {
    /// Waits until a name may pass.
    pub async fn pass(&self, name: &str) -> String {
        let semaphore = self.of(name);
        let _ = self.begun.send(name.to_owned()); // not every test listens
        semaphore.acquire().await.unwrap().forget();
        name.to_owned()
    }

    /// Lets the call with a name pass.
    pub fn open(&self, name: &str) {
        self.of(name).add_permits(1);
    }

    fn of(&self, name: &str) -> Arc<Semaphore> {
        let mut open = self.open.lock().unwrap();
        let semaphore = open.entry(name.to_owned());
        semaphore
            .or_insert_with(|| Arc::new(Semaphore::new(0)))
            .clone()
    }
}

#[derive(Resources)]
pub struct Gates {
    pub gate: Gate,
}

/// A gate, and the names of the calls that have begun.
pub fn gate() -> (Gate, mpsc::UnboundedReceiver<String>) {
    let (begun, names) = mpsc::unbounded_channel();
    let open = Arc::default();
    (Gate { begun, open }, names)
}

pub async fn server() -> AgentServer<Assistant> {
    gated().await.0
}

/// A server with a gate for its slow actions.
pub async fn gated() -> (
    AgentServer<Assistant>,
    Gate,
    mpsc::UnboundedReceiver<String>,
) {
    let (gate, begun) = gate();
    let builder = AgentServer::builder(Assistant::new()).resources(Gates { gate: gate.clone() });
    (builder.start().await.unwrap(), gate, begun)
}

pub fn builder(model: &Scripted, server: &AgentServer<Assistant>) -> ChatBuilder {
    Chat::builder(model.clone(), Toolbox::of(server))
}

pub fn chat(model: &Scripted, server: &AgentServer<Assistant>) -> Chat {
    builder(model, server).build().unwrap()
}

pub async fn lines(server: &AgentServer<Assistant>) -> Vec<String> {
    server.agent().await.unwrap().state().notes.lines.clone()
}

/// A call with malformed or repeated parts, as a model writes it.
pub fn raw(name: &str, arguments: &str) -> ToolCall {
    ToolCall::new(name, arguments)
}

/// The results of the calls of a turn, as texts.
pub fn results(turn: &Turn) -> Vec<String> {
    let texts = turn.calls.iter().map(|call| match &call.result {
        Ok(output) => output.text().into_owned(),
        Err(error) => format!("error: {error}"),
    });
    texts.collect()
}

/// The events up to the end, as short texts.
pub async fn events(mut turn: TurnStream<'_>) -> Vec<String> {
    let mut events = Vec::new();
    while let Some(event) = turn.next().await {
        events.push(match event {
            Ok(event) => short(&event),
            Err(error) => format!("error: {error}"),
        });
    }
    events
}

/// The turn at its end, and its conversation.
pub async fn ended(mut turn: OwnedTurnStream) -> (Turn, Chat) {
    loop {
        if let Event::Done(ended) = turn.next().await.unwrap().unwrap() {
            return (ended, turn.into_chat());
        }
    }
}

/// Reads a stream until it waits for something, or ends.
pub fn read_until_it_waits(turn: &mut OwnedTurnStream) -> Vec<Event> {
    let mut events = Vec::new();
    let mut cx = Context::from_waker(Waker::noop());
    while let Poll::Ready(Some(event)) = Pin::new(&mut *turn).poll_next(&mut cx) {
        events.push(event.unwrap());
    }
    events
}

pub fn short(event: &Event) -> String {
    match event {
        Event::Text(text) => format!("text {text}"),
        Event::Reasoning(text) => format!("reasoning {text}"),
        Event::CallDelta { name, .. } => format!("delta {}", name.as_deref().unwrap_or("")),
        Event::Calling(call) => format!("calling {}", call.call.name),
        Event::Called(call) => format!("called {}", call.name),
        Event::Approval(call) => format!("approval {}", call.request.tool.name),
        Event::Retry(retry) => format!(
            "retry {} after {} s{}",
            retry.attempt,
            retry.wait.as_secs(),
            if retry.discard { ", discard" } else { "" }
        ),
        Event::Switched(switched) => format!(
            "switched to {}{}",
            switched.model,
            if switched.cache_lost {
                ", cache lost"
            } else {
                ""
            }
        ),
        Event::Decided(decided) => format!("decided {}", decided.id),
        Event::StepEnd(end) => format!("step {} with {} messages", end.step, end.messages.len()),
        Event::Done(turn) => format!("done {:?}", turn.stop),
        other => format!("{other:?}"),
    }
}

/// Fails unless every call has its result right behind it, and every result its call.
pub fn assert_whole(history: &[Message]) {
    for (index, message) in history.iter().enumerate() {
        let calls: Vec<&str> = message.calls().map(|call| call.id.as_str()).collect();
        let next = history.get(index + 1);
        let results: Vec<&str> = next
            .into_iter()
            .flat_map(Message::results)
            .map(|result| result.id.as_str())
            .collect();
        assert_eq!(calls, results, "message {index} of {history:#?}");
    }
    assert_eq!(
        history.first().map_or(0, |first| first.results().count()),
        0
    );
}

/// A history that went through a store.
pub fn stored(history: &[Message]) -> Vec<Message> {
    let text = serde_json::to_string(history).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    serde_json::from_value(value).unwrap()
}

/// Returns the parts that the chat added to a message.
pub fn contexts(message: &Message) -> Vec<&ContextPart> {
    message.contexts().collect()
}

/// Returns a request in the order of providers' caches: tools, system text, messages.
pub fn in_order_of_caches(body: &Value) -> String {
    let messages = body.get("messages").unwrap_or(&body["input"]);
    let messages: Vec<_> = messages
        .as_array()
        .unwrap()
        .iter()
        .map(Value::to_string)
        .collect();
    let system = body.get("system").unwrap_or(&body["instructions"]);
    let text = format!("{}{system}{}", body["tools"], messages.join(","));
    // Anthropic's marks say where a cached beginning ends, and are no part of it
    text.replace(r#""cache_control":{"type":"ephemeral"},"#, "")
}
