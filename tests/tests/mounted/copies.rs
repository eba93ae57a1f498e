//! How often the state of a mounted skill is copied, and its schema made.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::process;
use skill_agent::prelude::*;
use std::borrow::Cow;
use std::cell::Cell;

thread_local! {
    static COPIES: Cell<usize> = const { Cell::new(0) };
    static SCHEMAS: Cell<usize> = const { Cell::new(0) };
}

/// Counts its clones and how often its schema is made.
#[derive(Default, Serialize, Deserialize)]
pub struct Pages(u32);

impl Clone for Pages {
    fn clone(&self) -> Self {
        COPIES.set(COPIES.get() + 1);
        Self(self.0)
    }
}

impl JsonSchema for Pages {
    fn schema_name() -> Cow<'static, str> {
        "Pages".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        SCHEMAS.set(SCHEMAS.get() + 1);
        u32::json_schema(generator)
    }
}

/// A book.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "book", actions(Read, Fail, MountSecond, Write))]
pub struct Book {
    pub pages: Pages,
}

/// Count the pages.
#[action]
pub fn read(book: &Book) -> u32 {
    book.pages.0
}

/// Fail.
#[action]
pub fn fail(_: &Book) -> Result<u32, String> {
    Err("not found".to_owned())
}

/// Mount a second skill.
#[action]
pub fn mount_second(_: &Book, cx: &mut Context<Book>) {
    cx.mount("second", &json!({}));
}

/// Write a page.
#[action]
pub fn write(book: &mut Book) -> u32 {
    book.pages.0 += 1;
    book.pages.0
}

/// A second skill.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "second")]
pub struct Second {}

agent! {
    /// Can mount both skills.
    pub struct BookAgent {
        name: "book_agent",
        mounted: [Book, Second],
    }
}

fn agent_with_book() -> BookAgent {
    let mut agent = BookAgent::new();
    agent.mounted_mut().mount::<Book>(&json!({})).unwrap();
    COPIES.set(0);
    agent
}

fn run(agent: &mut BookAgent, actions: &[&'static str]) -> bool {
    let instructions: Vec<_> = actions
        .iter()
        .map(|action| Instruction::new(*action, json!({})))
        .collect();
    agent.mounted_mut().run(&instructions).is_ok()
}

#[test]
fn an_action_that_only_reads_does_not_clone_the_state() {
    let mut agent = agent_with_book();
    assert!(agent.mounted_mut().call_json("read", "{}").is_ok());
    assert!(run(&mut agent, &["read", "read", "read"]));
    assert!(!run(&mut agent, &["read", "fail"]));
    assert_eq!(COPIES.get(), 0);
    assert!(run(&mut agent, &["write", "write"]));
    assert_eq!(COPIES.get(), 1, "the copy that a failed step would restore");
}

#[test]
fn a_failed_run_unmounts_what_a_reading_action_mounted() {
    let mut agent = agent_with_book();
    assert!(!run(&mut agent, &["mount_second", "fail"]));
    assert_eq!(agent.mounted().len(), 1);
    assert!(run(&mut agent, &["mount_second", "read"]));
    assert_eq!(agent.mounted().len(), 2);
}

#[test]
fn the_fingerprint_of_a_state_is_computed_once() {
    let mut agent = agent_with_book();
    let record = |agent: &BookAgent| {
        process::with_stored(agent, process::MOUNTED, |state| {
            serde_json::to_value(state).unwrap()
        })
    };
    let first = record(&agent).unwrap();
    assert_ne!(first, Value::Null);
    let made = SCHEMAS.get();
    let copy = agent.clone();
    assert!(agent.mounted_mut().call_json("write", "{}").is_ok());
    assert_ne!(record(&agent).unwrap(), first);
    assert_eq!(record(&copy).unwrap(), first);
    assert_eq!(SCHEMAS.get(), made);
}
