//! Merges a partial document into a typed value: `set`, `from_state_json` and `validate`.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;

use super::cursor::{Cursor, ReadLog};
use super::merge_input::{Attempt, JsonWithFloats, Merge};
use super::problem::Problem;
use super::repair::resolve;
use super::schema::{SchemaFn, schema_of};
use super::schema_node::SchemaNode;

/// Merges `patch` into a copy of `current`.
///
/// Objects are merged key by key. An enum, which is `oneOf` or `anyOf` in the schema, and every other kind of value is replaced.
/// An `Option` of a struct is merged if both values are objects. NaN and infinities in `current` stay where `patch` does not
/// replace them. A field that serde skips is not in the JSON and becomes its default.
///
/// `schema` is that of `T`, if it exists already.
///
/// All mistakes in `patch`, up to a generous limit, are pushed to `problems` with their paths below `at`; keys that nothing reads
/// are mistakes too. Returns `None` if any was pushed.
pub(crate) fn merge<T: Serialize + DeserializeOwned + JsonSchema>(
    current: &T,
    patch: &Value,
    at: &str,
    schema: Option<SchemaFn>,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    let before = problems.len();
    let mut read = None;
    let mut attempt = |document: &Value, log: &ReadLog| {
        read = Some(T::deserialize(Cursor::new(document, log))?);
        Ok(())
    };
    let merge = Merge {
        base: &|| JsonWithFloats::of(current),
        schema: &|| match schema {
            Some(made) => Cow::Borrowed(made()),
            None => Cow::Owned(schema_of::<T>().to_value()),
        },
        patch,
        at,
    };
    merge.run(&mut attempt, problems);
    read.filter(|_| problems.len() == before)
}

impl Merge<'_> {
    fn run(&self, attempt: &mut Attempt<'_>, problems: &mut Vec<Problem>) {
        if super::depth::value_is_too_deep(self.patch) {
            let error = super::read::ReadError::TooDeep {
                max: super::depth::MAX_DEPTH,
            };
            problems.push(Problem::new(self.at, error.to_string()));
            return;
        }
        let mut merged = match (self.base)() {
            Ok(base) => base,
            Err(error) => {
                let message = format!("the present value cannot be written as JSON: {error}");
                problems.push(Problem::new(self.at, message));
                return;
            }
        };
        let schema = (self.schema)();
        let node = SchemaNode::root(&schema);
        merged.merge(self.patch, Some(node));
        resolve(self, merged, node, attempt, problems);
    }
}
