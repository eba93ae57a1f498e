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
    /// How often code of the skill ran. A test and its server share a thread, and no other test is on it.
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

pub fn runs() -> u32 {
    RUNS.get()
}

fn ran() {
    RUNS.set(RUNS.get() + 1);
}

/// An enum of every shape.
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

/// A tag inside.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Inside {
    #[default]
    Nothing,
    Weight {
        grams: f64,
    },
}

/// A tag beside.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub enum Beside {
    #[default]
    Nothing,
    Pair(i64, f64),
}

/// No tag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Bare {
    Number(f64),
    Words(Vec<String>),
}

impl Default for Bare {
    fn default() -> Self {
        Self::Words(Vec::new())
    }
}

/// What serde can do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Odds {
    pub numbers: Vec<f64>,
    pub small: f32,
    pub by_number: HashMap<u32, String>,
    pub by_sign: HashMap<i64, Vec<bool>>,
    pub shapes: Vec<Shape>,
    pub inside: Inside,
    pub beside: Beside,
    pub bare: Vec<Bare>,
    pub nothing: Option<()>,
    pub pair: (u64, char),
}

/// How a library is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BookConfig {
    /// How many entries there may be.
    pub limit: u32,
}

impl Default for BookConfig {
    fn default() -> Self {
        Self { limit: 100_000 }
    }
}

/// Entries, and all sorts of things.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "book",
    version = "1.0.0",
    config = BookConfig,
    actions(
        Write, Refuse, Length, Fill, Publish, Chain, Follow, Plan, Cancel, Help, Halt, Consult, Ponder, Remark, Large
    ),
    hooks
)]
pub struct Book {
    pub entries: Vec<u64>,
    pub odds: Odds,
    pub starts: Vec<String>,
    pub heard: u32,
    pub text: String,
}

/// The book is closed.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("the book is closed")]
pub struct IsClosed;

/// Write a number down; how many there are.
#[action(on("book.write"))]
pub fn write(book: &mut Book, n: u64) -> usize {
    ran();
    book.entries.push(n);
    book.entries.len()
}

/// Write a number down and fail.
#[action]
pub fn refuse(book: &mut Book, n: u64) -> Result<(), IsClosed> {
    book.entries.push(n);
    Err(IsClosed)
}

/// How many numbers there are.
#[action]
pub fn length(book: &Book) -> usize {
    book.entries.len()
}

/// Take all sorts of things.
#[action(internal)]
pub fn fill(book: &mut Book, odds: Odds) {
    book.odds = odds;
}

/// Write a number down and tell the world.
#[action(on("book.publish"))]
pub fn publish(book: &mut Book, cx: &mut Context<Book>, n: u64) {
    ran();
    book.entries.push(n);
    cx.emit(Signal::new("book.published", json!({ "n": n })));
}

/// Write a number down, and another by a run.
#[action]
pub fn chain(book: &mut Book, cx: &mut Context<Book>, n: u64) {
    ran();
    book.entries.push(n);
    cx.run(Instruction::new("follow", json!({ "n": n + 1000 })));
}

/// Write a number down that another led to.
#[action(internal)]
pub fn follow(book: &mut Book, n: u64) {
    ran();
    book.entries.push(n);
}

/// Write a number down later; think where that is 0.
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

/// Take a plan back.
#[action]
pub fn cancel(_: &Book, cx: &mut Context<Book>, key: String) {
    cx.cancel(&key);
}

/// Call a helper, who publishes a number.
#[action]
pub fn help(_: &Book, cx: &mut Context<Book>, n: u64) {
    cx.spawn("helper", json!({ "n": n }));
}

/// Stop.
#[action]
pub fn halt(_: &Book, cx: &mut Context<Book>) {
    cx.stop("it is late");
}

/// Think about a number, and write it down.
#[action]
pub async fn consult(_: &Book, cx: &mut Context<Book>, n: u64) -> u64 {
    ran();
    tokio::task::yield_now().await;
    cx.then(Write { n });
    n
}

/// Think forever, even after the caller cancels.
#[action(on("book.ponder"))]
pub async fn ponder(_: &Book, cx: &mut Context<Book>) {
    ran();
    cx.cancelled().await;
    std::future::pending().await
}

/// Listen to a text, and forget it.
#[action]
pub fn remark(book: &mut Book, text: String) -> usize {
    book.heard += 1;
    text.len()
}

/// Take a long text.
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
