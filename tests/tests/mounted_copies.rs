//! What is copied and derived for mounted skills, and what is not.

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

/// Counts how often it is copied, and how often its schema is made.
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
#[skill(name = "book", actions(Read, Fail, Lend, Write))]
pub struct Book {
    pub pages: Pages,
}

/// Count the pages.
#[action]
pub fn read(book: &Book) -> u32 {
    book.pages.0
}

/// Look for what is not there.
#[action]
pub fn fail(_: &Book) -> Result<u32, String> {
    Err("it is not there".to_owned())
}

/// Mount a shelf.
#[action]
pub fn lend(_: &Book, cx: &mut Context<Book>) {
    cx.mount("shelf", &json!({}));
}

/// Write a page.
#[action]
pub fn write(book: &mut Book) -> u32 {
    book.pages.0 += 1;
    book.pages.0
}

/// Holds books.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "shelf")]
pub struct Shelf {}

agent! {
    /// Mounts them.
    pub struct Library {
        name: "library",
        mounted: [Book, Shelf],
    }
}

fn library() -> Library {
    let mut library = Library::new();
    library.mounted_mut().mount::<Book>(&json!({})).unwrap();
    COPIES.set(0);
    library
}

fn run(library: &mut Library, actions: &[&'static str]) -> bool {
    let instructions: Vec<_> = actions
        .iter()
        .map(|action| Instruction::new(*action, json!({})))
        .collect();
    library.mounted_mut().run(&instructions).is_ok()
}

#[test]
fn an_action_that_only_reads_copies_no_state() {
    let mut library = library();
    assert!(library.mounted_mut().call_json("read", "{}").is_ok());
    assert!(run(&mut library, &["read", "read", "read"]));
    assert!(!run(&mut library, &["read", "fail"]));
    assert_eq!(COPIES.get(), 0);
    assert!(run(&mut library, &["write", "write"]));
    assert_eq!(COPIES.get(), 1, "what is put back when a later step fails");
}

#[test]
fn a_run_that_fails_takes_back_what_a_reader_mounted() {
    let mut library = library();
    assert!(!run(&mut library, &["lend", "fail"]));
    assert_eq!(library.mounted().len(), 1);
    assert!(run(&mut library, &["lend", "read"]));
    assert_eq!(library.mounted().len(), 2);
}

#[test]
fn the_shape_of_a_state_is_derived_once_however_often_it_is_recorded() {
    let mut library = library();
    let record = |library: &Library| {
        process::with_stored(library, process::MOUNTED, |state| {
            serde_json::to_value(state).unwrap()
        })
    };
    let first = record(&library).unwrap();
    assert_ne!(first, Value::Null);
    let made = SCHEMAS.get();
    let copy = library.clone();
    assert!(library.mounted_mut().call_json("write", "{}").is_ok());
    assert_ne!(record(&library).unwrap(), first);
    assert_eq!(record(&copy).unwrap(), first);
    assert_eq!(SCHEMAS.get(), made);
}
