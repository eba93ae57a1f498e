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

/// What is known about a type apart from its impls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    /// The schema of the type, if it exists already.
    pub(crate) schema: Option<SchemaFn>,
    /// The paths of the secrets.
    pub(crate) secrets: &'static [&'static str],
}

/// Merges `patch` into a copy of `current`.
///
/// Objects are merged key by key. An enum, which is `oneOf` or `anyOf` in the schema, and every other kind of value is replaced.
/// An `Option` of a struct is merged if both values are objects. NaN and infinities in `current` stay where `patch` does not
/// replace them. A field that serde skips is not in the JSON and becomes its default.
///
/// `layout` is that of `T`.
///
/// All mistakes in `patch`, up to a generous limit, are pushed to `problems` with their paths below `at`; keys that nothing reads
/// are mistakes too. Returns `None` if any was pushed. A problem quotes the values of `patch` that are not secrets, and none of
/// `current`.
pub(crate) fn merge<T: Serialize + DeserializeOwned + JsonSchema>(
    current: &T,
    patch: &Value,
    at: &str,
    layout: Layout,
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
        schema: &|| match layout.schema {
            Some(made) => Cow::Borrowed(made()),
            None => Cow::Owned(schema_of::<T>().to_value()),
        },
        patch,
        at,
        secrets: layout.secrets,
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
