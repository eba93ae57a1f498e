//! An agent with states of many serde shapes, and an action for every directive.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::Start;
use skill_agent::child::Restart;
use skill_agent::core::HookError;
use skill_agent::prelude::*;
use std::cell::Cell;
use std::collections::HashMap;
use std::time::Duration;

thread_local! {
    /// How often an action or hook ran. Each test has its own thread, which also runs its server.
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

pub fn runs() -> u32 {
    RUNS.get()
}

fn ran() {
    RUNS.set(RUNS.get() + 1);
}

/// An externally tagged enum with every kind of variant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Shape {
    #[default]
    None,
    Circle(f64),
    Box(u8, u8),
    Text {
        font: String,
        size: Option<u16>,
    },
}

/// An internally tagged enum.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Internal {
    #[default]
    Nothing,
    Weight {
        grams: f64,
    },
}

/// An adjacently tagged enum.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub enum Adjacent {
    #[default]
    Nothing,
    Pair(i64, f64),
}

/// An untagged enum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Untagged {
    Number(f64),
    Words(Vec<String>),
}

impl Default for Untagged {
    fn default() -> Self {
        Self::Words(Vec::new())
    }
}

/// Values of many serde representations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Samples {
    pub numbers: Vec<f64>,
    pub small: f32,
    pub by_number: HashMap<u32, String>,
    pub by_sign: HashMap<i64, Vec<bool>>,
    pub shapes: Vec<Shape>,
    pub internal: Internal,
    pub adjacent: Adjacent,
    pub untagged: Vec<Untagged>,
    pub nothing: Option<()>,
    pub pair: (u64, char),
}

/// The configuration of a book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BookConfig {
    /// The largest number of entries.
    pub limit: u32,
}

impl Default for BookConfig {
    fn default() -> Self {
        Self { limit: 100_000 }
    }
}

/// A list of numbers, and values of many types.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "book",
    version = "1.0.0",
    config = BookConfig,
    actions(
        Write, Refuse, Length, Fill, Publish, Chain, Follow, Plan, Cancel, Help, Halt, Consult, Ponder, Remark, Large, Echo,
        Repeat
    ),
    hooks
)]
pub struct Book {
    pub entries: Vec<u64>,
    pub samples: Samples,
    pub starts: Vec<String>,
    pub heard: u32,
    pub text: String,
}

/// The book is closed.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("the book is closed")]
pub struct IsClosed;

/// Append a number and return the count.
#[action(on("book.write"))]
pub fn write(book: &mut Book, n: u64) -> usize {
    ran();
    book.entries.push(n);
    book.entries.len()
}

/// Append a number and fail.
#[action]
pub fn refuse(book: &mut Book, n: u64) -> Result<(), IsClosed> {
    ran();
    book.entries.push(n);
    Err(IsClosed)
}

/// The count of numbers.
#[action]
pub fn length(book: &Book) -> usize {
    book.entries.len()
}

/// Replace the values.
#[action(internal)]
pub fn fill(book: &mut Book, samples: Samples) {
    book.samples = samples;
}

/// Append a number and emit a signal.
#[action(on("book.publish"))]
pub fn publish(book: &mut Book, cx: &mut Context<Book>, n: u64) {
    ran();
    book.entries.push(n);
    cx.emit(Signal::new("book.published", json!({ "n": n })));
}

/// Append a number, and another by a `Run` directive.
#[action]
pub fn chain(book: &mut Book, cx: &mut Context<Book>, n: u64) {
    ran();
    book.entries.push(n);
    cx.run(Instruction::new("follow", json!({ "n": n + 1000 })));
}

/// Append a number.
#[action(internal)]
pub fn follow(book: &mut Book, n: u64) {
    ran();
    book.entries.push(n);
}

/// Schedule `book.write`, or `book.ponder` if the number is 0.
#[action]
pub fn plan(_: &Book, cx: &mut Context<Book>, n: u64, seconds: u64, key: Option<String>) {
    let signal = match n {
        0 => Signal::new("book.ponder", json!({})),
        n => Signal::new("book.write", json!({ "n": n })),
    };
    let after = Duration::from_secs(seconds);
    match key {
        Some(key) => cx.schedule_as(&key, after, signal),
        None => cx.schedule(after, signal),
    }
}

/// Cancel a scheduled signal.
#[action]
pub fn cancel(_: &Book, cx: &mut Context<Book>, key: String) {
    cx.cancel(&key);
}

/// Start a child that publishes a number.
#[action]
pub fn help(_: &Book, cx: &mut Context<Book>, n: u64) {
    cx.spawn("helper", json!({ "n": n }));
}

/// Stop the agent.
#[action]
pub fn halt(_: &Book, cx: &mut Context<Book>) {
    cx.stop("it is late");
}

/// Append a number from an async action.
#[action]
pub async fn consult(_: &Book, cx: &mut Context<Book>, n: u64) -> u64 {
    ran();
    tokio::task::yield_now().await;
    cx.then(Write { n });
    n
}

/// Never return, even after a cancellation.
#[action(on("book.ponder"))]
pub async fn ponder(_: &Book, cx: &mut Context<Book>) {
    ran();
    cx.cancelled().await;
    std::future::pending().await
}

/// Count a text without storing it.
#[action]
pub fn remark(book: &mut Book, text: String) -> usize {
    book.heard += 1;
    text.len()
}

/// Return a text.
#[action]
pub fn echo(_: &Book, text: String) -> String {
    text
}

/// Return a text of `bytes` bytes.
#[action]
pub fn repeat(_: &Book, bytes: usize) -> String {
    "x".repeat(bytes)
}

/// Store a text of `bytes` bytes.
#[action]
pub fn large(book: &mut Book, bytes: usize) {
    book.text = "x".repeat(bytes);
}

impl Hooks for Book {
    fn on_mount(&mut self, start: Start, _: &mut Context<Self>) -> Result<(), HookError> {
        self.starts.push(format!("{start:?}"));
        Ok(())
    }

    fn handle_signal(
        &mut self,
        signal: &Signal,
        _: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        if signal.ty() != "book.heard" {
            return Ok(Handled::Ignored);
        }
        ran();
        self.heard += 1;
        Ok(Handled::Done)
    }

    fn child_specs(_: &BookConfig) -> Vec<ChildSpec> {
        let helper = ChildSpec::new("helper", async |cx: ChildContext| {
            let n = cx.params()["n"].clone();
            cx.deliver(Signal::new("book.publish", json!({ "n": n })))
                .await?;
            Ok(())
        });
        vec![helper.restart(Restart::Temporary).on_demand()]
    }
}

agent! {
    /// Keeps a book.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Library {
        name: "library",
        state: { visits: u32 },
        skills: [Book],
    }
}
