//! Updates a typed value with a JSON document: `set`, `from_state_json`, `replace_state_json` and `validate`.
//!
//! Three sources show which kind of object a JSON object is. None of them is enough alone:
//!
//! - *serde* distinguishes a struct from a map: `Deserialize` asks for one or the other while it reads. A schema cannot
//!   distinguish them, because the schema of a map with enum keys lists the keys like struct fields, and a schema may be
//!   hand-written. Field names and aliases are the ones that serde accepts.
//! - The *schema* shows a choice, such as an enum, whose objects do not merge. Serde reads a tagged object like a struct. The
//!   schema also lists the fields of a struct with `flatten`, which serde reads like a map.
//! - The *written form* of the value shows which fields the type leaves out. A document without such a field is complete, so the
//!   field must not be filled in from the agent's defaults.
//!
//! In every case the result is a value that serde has read, so a wrong schema cannot lead to an invalid state.

pub(crate) mod input;
pub(crate) mod missing_fields;
pub(crate) mod mistakes;
pub(crate) mod repair;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;
use std::cell::RefCell;

use crate::check::constraints::{Violations, violations};
use crate::problem::Problem;
use crate::read::cursor::Cursor;
use crate::read::log::ReadLog;
use crate::schema::generate::{SchemaFn, schema_of};
use crate::schema::node::SchemaNode;
use crate::update::input::{Attempt, Document, JsonWithFloats, Update, UpdateInput};
use crate::update::missing_fields::{add_missing_fields, lacks_keys};
use crate::update::repair::resolve;
use crate::value::at_path::at;

/// The parts of a type's description that serde's traits do not show: its schema and secrets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    /// The type's schema, if it has already been generated.
    pub schema: Option<SchemaFn>,
    /// The paths of the secrets.
    pub secrets: &'static [&'static str],
    /// Whether the type is a struct whose `Deserialize` asks for a map, such as an agent's base fields.
    pub is_struct: bool,
}

/// Applies `document` to a copy of `current`.
///
/// NaN and infinities in `current` stay unless `document` replaces them. A field that serde skips is not in the JSON and becomes
/// its default.
///
/// `layout` describes `T`.
///
/// Pushes all mistakes in `document`, up to a generous limit, to `problems`, with paths below `at`. Unread keys are mistakes too.
/// Returns `None` if there is a mistake. A problem may quote values of `document` other than secrets, but never values of
/// `current`.
pub fn update<T: Serialize + DeserializeOwned + JsonSchema>(
    current: &T,
    document: &Value,
    update: Update,
    at: &str,
    layout: Layout,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    let before = problems.len();
    let read: RefCell<Option<T>> = RefCell::default();
    let mut attempt = |document: &Value, log: &ReadLog<'_>| {
        *read.borrow_mut() = Some(T::deserialize(Cursor::new(document, log))?);
        Ok(())
    };
    let input = UpdateInput {
        base: &|| JsonWithFloats::of(current),
        schema: &|| match layout.schema {
            Some(made) => Cow::Borrowed(made()),
            None => Cow::Owned(schema_of::<T>().to_value()),
        },
        rewritten: &|| serde_json::to_value(&*read.borrow()).unwrap_or_default(),
        document,
        update,
        at,
        is_struct: layout.is_struct,
        secrets: layout.secrets,
        most_readings: crate::update::repair::ENOUGH,
        is_call: false,
    };
    input.run(&mut attempt, problems);
    read.into_inner().filter(|_| problems.len() == before)
}

impl UpdateInput<'_> {
    fn run(&self, attempt: &mut Attempt<'_>, problems: &mut Vec<Problem>) {
        if crate::value::depth::value_is_too_deep(self.document) {
            let error = crate::read::ReadError::TooDeep {
                max: crate::value::depth::MAX_DEPTH,
            };
            problems.push(Problem::new(self.at, error.to_string()));
            return;
        }
        let base = match (self.base)() {
            Ok(base) => base,
            Err(error) => {
                let message = format!("the present value cannot be written as JSON: {error}");
                problems.push(Problem::new(self.at, message));
                return;
            }
        };
        let before = problems.len();
        let schema = (self.schema)();
        let node = SchemaNode::root(&schema);
        let kind = node.resolved().keyword("type");
        if self.document.is_array() && kind.is_some_and(|kind| kind == "object") {
            // serde's derive would accept a list of the fields in order
            let message = "invalid type: a list, expected an object";
            problems.push(Problem::new(self.at, message));
            return;
        }
        let document = match self.update {
            Update::Merge | Update::Patch => {
                let mut merged = Document::from(base);
                merged.merge(self.document, Some(node), self.is_struct);
                if self.update == Update::Merge {
                    merged.removals.clear();
                }
                resolve(self, merged, node, attempt, problems).document
            }
            Update::Replace => self.replace(&base, node, attempt, problems),
        };
        if problems.len() == before {
            self.check_constraints(&document.value, node, problems);
        }
    }

    /// Checks the constraints that serde does not know. If the current value already violates a constraint in the same way, this
    /// is not the sender's mistake.
    fn check_constraints(&self, value: &Value, node: SchemaNode<'_>, problems: &mut Vec<Problem>) {
        let most = crate::update::repair::ENOUGH;
        let Violations {
            found,
            has_unknown_keys,
        } = violations(value, node, most);
        // A field may be written under an alias in the document. The type's output has its real name.
        let written = if has_unknown_keys {
            (self.rewritten)()
        } else {
            Value::Null
        };
        let written = violations(&written, node, most).found.into_iter();
        let renamed = written.filter(|violation| at(value, &violation.path).is_none());
        let mut found: Vec<_> = found.into_iter().chain(renamed).collect();
        if !found.is_empty() {
            let base = (self.base)().unwrap_or_default();
            found.retain(|violation| at(&base.value, &violation.path) != Some(violation.value));
        }
        let found = found.iter().take(most);
        problems.extend(found.map(|violation| violation.problem(self.at, self.secrets)));
    }

    fn replace(
        &self,
        base: &JsonWithFloats,
        node: SchemaNode<'_>,
        attempt: &mut Attempt<'_>,
        problems: &mut Vec<Problem>,
    ) -> Document {
        let before = problems.len();
        let whole = Document::from(self.document.clone());
        let read = resolve(self, whole, node, attempt, problems);
        if problems.len() > before || !lacks_keys(&read.document.value, &base.value) {
            return read.document;
        }
        let mut complete = read.document;
        if add_missing_fields(
            &mut complete,
            base,
            &(self.rewritten)(),
            &read.structs,
            node,
        ) {
            return resolve(self, complete, node, attempt, problems).document;
        }
        complete
    }
}
