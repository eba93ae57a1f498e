//! Calls by the template of a chat-tuned model: questions over the tools of two agents, of a server that streams and of one that does not.

use super::Asked;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skill_agent::chat::{
    BoxStream, Called, Chat, ChatError, ChatModel, ChatRequest, Limits, MessagePart, ModelError,
    ModelEvent, ModelProfile, OpenAi, Stop, Stream,
};
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;
use std::error::Error;
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

/// The fewest of the questions for a tool that lead to a call.
const LEAST: usize = 24;

/// How many calls a question may lead to.
const MOST_CALLS: usize = 3;

/// Sums.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sums", actions(Add, Subtract, Multiply, Divide))]
pub struct Sums {}

/// Add two numbers.
#[action(read_only)]
pub fn add(_: &Sums, a: f64, b: f64) -> f64 {
    a + b
}

/// Subtract b from a.
#[action(read_only)]
pub fn subtract(_: &Sums, a: f64, b: f64) -> f64 {
    a - b
}

/// Multiply two numbers.
#[action(read_only)]
pub fn multiply(_: &Sums, a: f64, b: f64) -> f64 {
    a * b
}

/// Divide a by b.
#[action(read_only)]
pub fn divide(_: &Sums, a: f64, b: f64) -> Result<f64, String> {
    if b == 0.0 {
        return Err("b is zero; choose another number".to_owned());
    }
    Ok(a / b)
}

/// Notes of one person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(AddNote, ListNotes, RemoveNote, RemindMe))]
pub struct Notes {
    lines: Vec<String>,
}

/// Keep a note.
#[action]
pub fn add_note(notes: &mut Notes, text: String) -> usize {
    notes.lines.push(text);
    notes.lines.len()
}

/// List all notes.
#[action(read_only)]
pub fn list_notes(notes: &Notes) -> Vec<String> {
    notes.lines.clone()
}

/// Remove the note with this number.
#[action]
pub fn remove_note(notes: &mut Notes, number: u32) -> Result<String, String> {
    let index = (number as usize).checked_sub(1);
    let index = index.filter(|index| *index < notes.lines.len());
    let index = index.ok_or_else(|| format!("there is no note {number}; add one first"))?;
    Ok(notes.lines.remove(index))
}

/// Remind the person of something in some minutes.
#[action]
pub fn remind_me(notes: &mut Notes, text: String, #[arg(range(1..=600))] minutes: u32) -> String {
    notes.lines.push(text);
    format!("in {minutes} minutes")
}

agent! {
    pub struct Calculator { name: "calculator", skills: [Sums] }
}
agent! {
    pub struct Notebook { name: "notebook", skills: [Notes] }
}

const SUMS: [&str; 16] = [
    "What is 12 plus 30?",
    "Add 7.5 and 2.5.",
    "Please add 1024 and 2048.",
    "How much is 99 minus 45?",
    "Subtract 8 from 20.",
    "What is left of 500 if I take away 125?",
    "Multiply 6 by 7.",
    "What is 12 times 12?",
    "How much are 25 boxes of 8 eggs?",
    "Divide 144 by 12.",
    "Split 90 evenly among 4 people.",
    "What is 1 divided by 8?",
    "Divide 5 by 0.",
    "A ticket costs 18. How much are 3 tickets?",
    "I have 250 and spend 75. How much is left?",
    "What is the sum of 333 and 444?",
];

const NOTES: [&str; 16] = [
    "Note that I need to buy milk.",
    "Write down: call the dentist.",
    "Keep a note: the door code is 4711.",
    "Add a note about the meeting on Monday.",
    "Please remember that Ada likes tea.",
    "List my notes.",
    "Which notes do I have?",
    "Show me all notes.",
    "Remove note 1.",
    "Delete the second note.",
    "Remove note number 3, please.",
    "Remind me in 10 minutes to turn off the oven.",
    "Remind me to call Bob in 45 minutes.",
    "In half an hour, remind me to stretch.",
    "Remind me of the train in 5 minutes.",
    "Note: the flight leaves at nine.",
];

const TALK: [&str; 8] = [
    "Hello!",
    "What is the capital of France?",
    "Thank you, that was helpful.",
    "Tell me a short joke.",
    "Good morning!",
    "Who are you?",
    "Why is the sky blue?",
    "That is all for today.",
];

/// A model that counts the calls that its server gives as calls.
struct Counted {
    inner: OpenAi,
    calls: Arc<AtomicUsize>,
}

impl ChatModel for Counted {
    fn profile(&self) -> ModelProfile {
        self.inner.profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        Box::pin(CountedEvents {
            inner: self.inner.stream(request),
            calls: Arc::clone(&self.calls),
        })
    }
}

struct CountedEvents {
    inner: BoxStream<'static, Result<ModelEvent, ModelError>>,
    calls: Arc<AtomicUsize>,
}

impl Stream for CountedEvents {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let event = self.inner.as_mut().poll_next(cx);
        if let Poll::Ready(Some(Ok(ModelEvent::Part(MessagePart::Call(_))))) = event {
            self.calls.fetch_add(1, Ordering::Relaxed);
        }
        event
    }
}

/// The counts of one way to ask.
#[derive(Debug, Default)]
struct Counts {
    /// Questions for a tool.
    questions: usize,
    /// Those that led to a call.
    with_call: usize,
    /// Questions for no tool that led to a call.
    needless: usize,
    calls: usize,
    /// Calls whose arguments are an object.
    parsed: usize,
    /// Calls with a result.
    ran: usize,
    /// Calls with an error, and those of them behind which the same tool had a result.
    failed: usize,
    corrected: usize,
    /// Turns that failed.
    wrong: usize,
}

impl Counts {
    fn add(&mut self, calls: &[Called]) {
        for (index, call) in calls.iter().enumerate() {
            self.calls += 1;
            let is_object = serde_json::from_str::<Map<String, Value>>(&call.arguments).is_ok();
            self.parsed += usize::from(is_object);
            if call.result.is_ok() {
                self.ran += 1;
                continue;
            }
            self.failed += 1;
            let mut later = calls[index + 1..].iter();
            let is_corrected = later.any(|next| next.name == call.name && next.result.is_ok());
            self.corrected += usize::from(is_corrected);
        }
    }
}

/// The calls that follow a question, and the last text. After an error the model is asked again, to correct it.
async fn answer(mut chat: Chat, question: &str) -> (Vec<Called>, Result<String, ChatError>) {
    let mut calls: Vec<Called> = Vec::new();
    let mut turn = chat.send(question).await;
    loop {
        match turn {
            Ok(turn) => {
                calls.extend(turn.calls.iter().cloned());
                let has_failed = turn.calls.iter().any(|call| call.result.is_err());
                if !has_failed || turn.stop != Stop::Steps || calls.len() >= MOST_CALLS {
                    return (calls, Ok(turn.text().to_owned()));
                }
            }
            Err(error) => return (calls, Err(error)),
        }
        turn = chat.resume().await;
    }
}

/// Asks all questions, of a server that streams and of one that does not.
pub async fn ask(asked: &Asked) -> Result<ExitCode, Box<dyn Error>> {
    let mut is_enough = true;
    for (way, streams) in [("streamed", true), ("whole", false)] {
        if asked.is_left_out(way) {
            continue;
        }
        let native = Arc::new(AtomicUsize::new(0));
        let mut counts = Counts::default();
        let model = || Counted {
            inner: asked.model.clone(),
            calls: Arc::clone(&native),
        };
        let options = asked.options.clone().temperature(0.0);
        let options = if streams {
            options
        } else {
            options.extra("stream", false)
        };
        let calculator = AgentServer::builder(Calculator::new()).start().await?;
        let notebook = AgentServer::builder(Notebook::new()).start().await?;
        let tools = Toolbox::builder()
            .server(&calculator)
            .server(&notebook)
            .build()
            .await?;
        let for_tools = SUMS.iter().chain(&NOTES).map(|question| (question, true));
        let others = TALK.iter().map(|question| (question, false));
        for (question, needs_tool) in for_tools.chain(others) {
            let chat = Chat::builder(model(), tools.clone())
                .system("You call tools when they help. Otherwise you answer in one sentence.")
                .limits(Limits::default().steps(1))
                .options(options.clone())
                .retries(Asked::retries())
                .build()?;
            let (calls, end) = answer(chat, question).await;
            let calls = &*calls;
            counts.wrong += usize::from(end.is_err());
            let end = end.unwrap_or_else(|error| error.to_string());
            counts.add(calls);
            counts.questions += usize::from(needs_tool);
            counts.with_call += usize::from(needs_tool && !calls.is_empty());
            counts.needless += usize::from(!needs_tool && !calls.is_empty());
            let mark = if calls.is_empty() { "-" } else { "call" };
            let shown = calls.iter().map(|call| {
                let result = if call.result.is_ok() { "ok" } else { "error" };
                format!("{}{} {result};", call.name, call.arguments)
            });
            let text: String = end.split_whitespace().collect::<Vec<_>>().join(" ");
            let text: String = text.chars().take(80).collect();
            println!(
                "{way:8} {mark:4} {question:48} {} {text}",
                shown.collect::<String>()
            );
        }
        let native = native.load(Ordering::Relaxed);
        println!("{way}: {counts:?}, {native} of the calls native");
        is_enough &= counts.with_call >= LEAST && counts.wrong == 0;
    }
    Ok(if is_enough {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
