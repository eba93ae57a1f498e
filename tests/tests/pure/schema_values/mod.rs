//! The schema of each type against what reads it: values of the schema are accepted, and values outside of it are refused.
//!
//! The values are the same in each run. A type whose schema and reader differ names the row of `docs/schemas.md` about it.

mod rows;
mod types;

use crate::common::schema_drawer::Drawer;
use crate::common::schema_validator::SchemaValidator;
use serde_json::{Value, json};
use skill_agent::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeSet;
use types::{Holders, TYPES};

/// How many values of each type are drawn from its schema, and how many outside of it.
const VALUES: usize = 200;
/// The most draws until then: most changes of a value of some types are values again.
const MOST_CHANGES: usize = 100_000;

/// Reads a value, or says what is wrong with it.
type Reader = dyn Fn(&Value) -> Result<(), String>;

/// The schema of a type, and what reads it.
struct Subject {
    schema: Value,
    validator: SchemaValidator,
    accepts: Box<Reader>,
}

impl Subject {
    fn new(schema: Value, accepts: impl Fn(&Value) -> Result<(), String> + 'static) -> Self {
        Self {
            validator: SchemaValidator::with_integer_limits(&schema),
            schema,
            accepts: Box::new(accepts),
        }
    }

    /// Draws values of the schema and outside of it; returns those about which the reader differs, with its reason.
    fn differences(&self) -> Vec<(Value, String)> {
        let mut drawer = Drawer::new(&self.schema);
        let mut found = Vec::new();
        let (mut within, mut outside) = (0, 0);
        for _ in 0..MOST_CHANGES {
            let mut value = drawer.value();
            if !self.validator.accepts(&value) {
                continue;
            }
            if within < VALUES {
                within += 1;
                if let Err(error) = (self.accepts)(&value) {
                    found.push((value.clone(), format!("the reader: {error}")));
                }
            }
            drawer.change(&mut value);
            if outside < VALUES && !self.validator.accepts(&value) {
                outside += 1;
                if (self.accepts)(&value).is_ok() {
                    let reason = format!("the schema: {}", self.validator.explain(&value));
                    found.push((value, reason));
                }
            }
            if (within, outside) == (VALUES, VALUES) {
                return found;
            }
        }
        panic!(
            "{within} values within, {outside} outside of {}",
            self.schema
        );
    }
}

fn arguments(name: &str) -> Subject {
    let action = format!("{name}_take");
    let tool = Holders::tools().iter().find(|tool| tool.name == action);
    let schema = tool.expect("each type has an action").input_schema();
    let agent = RefCell::new(Holders::new());
    Subject::new(schema.clone(), move |arguments| {
        let called = agent
            .borrow_mut()
            .call_json(&action, &arguments.to_string());
        called.map(drop).map_err(|error| error.to_string())
    })
}

fn state(name: &'static str) -> Subject {
    let whole = Holders::schema().as_value();
    let mut schema = whole["properties"][name].clone();
    if let Some(definitions) = whole.get("$defs") {
        schema["$defs"] = definitions.clone();
    }
    Subject::new(schema, move |state| {
        let read = Holders::validate(&json!({ name: state }));
        read.map_err(|error| error.to_string())
    })
}

#[test]
fn the_reader_accepts_the_values_of_each_schema_and_refuses_others() {
    let mut unexplained = Vec::new();
    for (name, rows) in TYPES {
        let mut used = BTreeSet::new();
        for (kind, subject) in [("argument", arguments(name)), ("state", state(name))] {
            for (value, reason) in subject.differences() {
                match rows.iter().find(|row| row.explains(kind, &value)) {
                    Some(row) => drop(used.insert(row)),
                    None => unexplained.push(format!("{kind} {name}: {value}: {reason}")),
                }
            }
        }
        let unused = rows.iter().filter(|row| !used.contains(row));
        unexplained.extend(unused.map(|row| format!("{name} does not differ by {row:?}")));
    }
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
}

#[test]
fn every_difference_is_a_row_of_the_guide() {
    for row in TYPES.iter().flat_map(|(_, rows)| *rows) {
        let title = row.title();
        assert!(guide_has(title), "docs/schemas.md has no row `{title}`");
    }
}

#[test]
fn there_are_types_of_every_kind() {
    let names: BTreeSet<&str> = TYPES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), TYPES.len());
    assert!(names.len() >= 60, "{}", names.len());
}

/// Whether a row of `docs/schemas.md` begins with a title.
pub fn guide_has(title: &str) -> bool {
    let guide = include_str!("../../../../docs/schemas.md");
    guide.contains(&format!("\n| {title} |"))
}
