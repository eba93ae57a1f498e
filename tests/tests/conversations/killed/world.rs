//! The servers of the victim and its other source of tools, and a model whose completions follow from the history.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::chat::{
    BoxStream, CallPart, Chat, ChatModel, ChatRequest, Conversations, Message, MessagePart,
    ModelError, ModelEvent, ModelProfile, Stream,
};
use skill_agent::models::{Finish, Provider, ToolCall};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::store::Redb;
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox,
};
use std::collections::VecDeque;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;
use tokio::time::{Sleep, sleep};

/// Notes of one person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "notes",
    actions(AddNote, ListNotes, StoreNote, RemoveNote, FetchNote)
)]
pub struct Notes {
    pub lines: Vec<String>,
}

/// Keep a note.
#[action]
pub fn add_note(notes: &mut Notes, text: String) -> usize {
    notes.lines.push(text);
    notes.lines.len()
}

/// All notes.
#[action(read_only)]
pub fn list_notes(notes: &Notes) -> usize {
    notes.lines.len()
}

/// Throw a note away, which this agent writes down.
#[action(destructive)]
pub fn remove_note(notes: &mut Notes, text: String) {
    notes.lines.push(text);
}

/// Fetch a note, which takes time.
#[action]
pub async fn fetch_note(_: &Notes, cx: &mut Context<Notes>, text: String) {
    sleep(Duration::from_millis(2)).await;
    cx.then(StoreNote { text });
}

/// Store a fetched note.
#[action(internal)]
pub fn store_note(notes: &mut Notes, text: String) {
    notes.lines.push(text);
}

agent! {
    /// Keeps the conversations.
    pub struct Keeper {
        name: "keeper",
        skills: [Notes],
    }
}

/// Bookings of one person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "ledger", actions(Book, Refund))]
pub struct Ledger {
    pub lines: Vec<String>,
}

/// Book something.
#[action]
pub fn book(ledger: &mut Ledger, text: String) -> usize {
    ledger.lines.push(text);
    ledger.lines.len()
}

/// Refund something.
#[action(destructive)]
pub fn refund(ledger: &mut Ledger, text: String) {
    ledger.lines.push(text);
}

agent! {
    /// Keeps no conversation.
    pub struct Bank {
        name: "bank",
        skills: [Ledger],
    }
}

/// The files of a victim.
#[derive(Clone)]
pub struct Files(pub PathBuf);

impl Files {
    pub fn keeper(&self) -> PathBuf {
        self.0.join("keeper.redb")
    }

    pub fn bank(&self) -> PathBuf {
        self.0.join("bank.redb")
    }

    /// A line for each call of the source that is no server.
    pub fn printed(&self) -> PathBuf {
        self.0.join("printed")
    }
}

/// A source that is no server, and writes each call to a file.
struct Printer(PathBuf);

impl ToolSource for Printer {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let tool = |name: &str| {
            let text = json!({ "type": "string" });
            let schema =
                json!({ "type": "object", "properties": { "text": text }, "required": ["text"] });
            let mut tool = ToolBuf::new(name, "Print a text.", schema);
            tool.hints.destructive = name == "shred";
            SourceTool::from(tool)
        };
        Box::pin(async move { Ok(vec![tool("print"), tool("shred")]) })
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async move {
            sleep(Duration::from_millis(1)).await;
            append(&self.0, call.arguments["text"].as_str().unwrap());
            sleep(Duration::from_millis(1)).await;
            Ok("printed".into())
        })
    }
}

/// Appends a line in one call, so that a kill comes before or after it.
pub fn append(path: &Path, line: &str) {
    let file = OpenOptions::new().append(true).create(true).open(path);
    let line = format!("{line}\n");
    let written = file.unwrap().write(line.as_bytes()).unwrap();
    assert_eq!(written, line.len());
}

/// Returns the calls of each step of a plan, as tools and texts.
pub fn plan(n: u64) -> Vec<Vec<(&'static str, String)>> {
    let step = |tools: &[&'static str], step: usize| {
        let calls = tools.iter().enumerate();
        calls
            .map(|(index, tool)| (*tool, format!("{n}.{step}.{index}")))
            .collect()
    };
    let steps: &[&[&'static str]] = match n % 10 {
        0 => &[&["add_note"]],
        1 => &[&["list_notes"], &["add_note"]],
        2 => &[&["remove_note"], &["book"]],
        3 => &[&["add_note", "book"]],
        4 => &[&["fetch_note"]],
        5 => &[&["print"], &["add_note"]],
        6 => &[&["shred"]],
        7 => &[&["refund", "add_note"]],
        8 => &[&["book", "print", "fetch_note"], &["add_note"], &["book"]],
        _ => &[],
    };
    let steps = steps.iter().enumerate();
    steps.map(|(index, tools)| step(tools, index)).collect()
}

/// Returns the number of the plan that a message asks for.
pub fn number(message: &Message) -> Option<u64> {
    let text = message.text();
    message
        .is_of_user()
        .then(|| text.strip_prefix("plan ")?.parse().ok())?
}

/// A model that follows the plan in the last message with one.
struct Planner;

impl ChatModel for Planner {
    fn profile(&self) -> ModelProfile {
        ModelProfile::new(Provider::OPENAI_CHAT)
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let messages = &request.messages;
        let asked = messages
            .iter()
            .rposition(|message| number(message).is_some());
        let asked = asked.expect("a message asks for a plan");
        let n = number(&messages[asked]).unwrap();
        let done = messages[asked..].iter();
        let done = done.filter(|message| message.calls().next().is_some());
        let mut events = VecDeque::new();
        match plan(n).get(done.count()) {
            Some(calls) => {
                for (index, (tool, text)) in calls.iter().enumerate() {
                    let arguments = match *tool {
                        "list_notes" => json!({}),
                        _ => json!({ "text": text }),
                    };
                    let call = ToolCall::new(*tool, arguments.to_string());
                    events.push_back(ModelEvent::CallDelta {
                        index,
                        name: Some(call.name.clone()),
                        arguments: call.arguments.clone(),
                    });
                    events.push_back(ModelEvent::Part(MessagePart::Call(CallPart::new(call))));
                }
                events.push_back(ModelEvent::Finish(Finish::Calls));
            }
            None => {
                let pieces = (0..5).map(|piece| ModelEvent::Text(format!("{n}.{piece} ")));
                events.extend(pieces);
                events.push_back(ModelEvent::Finish(Finish::Answered));
            }
        }
        Box::pin(Slowly {
            events,
            pause: None,
        })
    }
}

/// Events with pauses.
struct Slowly {
    events: VecDeque<ModelEvent>,
    pause: Option<Pin<Box<Sleep>>>,
}

impl Stream for Slowly {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<Option<Self::Item>> {
        let new = || Box::pin(sleep(Duration::from_millis(1)));
        let pause = self.pause.get_or_insert_with(new);
        if pause.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        self.pause = None;
        Poll::Ready(self.events.pop_front().map(Ok))
    }
}

/// The servers and their conversations.
pub struct World {
    pub keeper: AgentServer<Keeper>,
    pub bank: AgentServer<Bank>,
    pub chats: Conversations,
    pub toolbox: Toolbox,
}

async fn later(_: ApprovalRequest) -> Verdict {
    Verdict::Later
}

const SECRET: &str = "the secret of this test, which has 32 bytes";

impl World {
    pub async fn open(files: &Files) -> Self {
        let keeper = AgentServer::builder(Keeper::with_id("keeper-1"))
            .store(Redb::open(files.keeper()).unwrap())
            .approver(later);
        let bank = AgentServer::builder(Bank::with_id("bank-1"))
            .store(Redb::open(files.bank()).unwrap())
            .approver(later);
        let keeper = keeper.start().await.unwrap();
        let bank = bank.start().await.unwrap();
        let toolbox = Toolbox::builder()
            .server(&keeper)
            .server(&bank)
            .source("printer", Printer(files.printed()))
            .approver(later)
            .approval_secret(SECRET)
            .build()
            .await
            .unwrap();
        let tools = toolbox.clone();
        let chats = Conversations::open(&keeper, move |_| Chat::builder(Planner, tools.clone()));
        let chats = chats.await.unwrap();
        Self {
            keeper,
            bank,
            chats,
            toolbox,
        }
    }

    /// Returns the texts of all calls that had an effect.
    pub async fn effects(&self, files: &Files) -> Vec<String> {
        let keeper = self.keeper.agent().await.unwrap();
        let bank = self.bank.agent().await.unwrap();
        let printed = std::fs::read_to_string(files.printed()).unwrap_or_default();
        let lines = keeper.state().notes.lines.iter();
        let lines = lines.chain(&bank.state().ledger.lines).cloned();
        lines.chain(printed.lines().map(str::to_owned)).collect()
    }

    /// Returns whether a chat accepts a history, as a provider would.
    pub fn accepts(&self, history: &[Message]) -> Result<(), String> {
        let stored: Value = serde_json::to_value(history).unwrap();
        let stored: Vec<Message> = serde_json::from_value(stored).unwrap();
        let built = Chat::builder(Planner, self.toolbox.clone())
            .history(stored)
            .build();
        built.map(drop).map_err(|error| error.to_string())
    }

    pub async fn stop(self) {
        let Self { keeper, bank, .. } = self;
        keeper.stop().await.unwrap();
        bank.stop().await.unwrap();
    }
}
