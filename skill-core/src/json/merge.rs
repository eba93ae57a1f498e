//! Merges a partial document into a typed value: `set`, `from_state_json` and `validate`.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Error, Value};
use std::borrow::Cow;

use super::cursor::{Cursor, ReadLog};
use super::depth::has_null;
use super::finite::not_finite;
use super::path::{Path, Step};
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

/// JSON, and the floats that it cannot hold, in whose places it has `null`.
pub(super) struct JsonWithFloats {
    pub(super) value: Value,
    pub(super) floats: Vec<(Path, f64)>,
}

impl JsonWithFloats {
    fn of<T: Serialize>(value: &T) -> Result<Self, Error> {
        let json = serde_json::to_value(value)?;
        let floats = if has_null(&json) {
            not_finite(value, usize::MAX)
        } else {
            Vec::new()
        };
        Ok(Self {
            value: json,
            floats,
        })
    }

    /// Merges `patch` into the document.
    fn merge(&mut self, patch: &Value, node: Option<SchemaNode<'_>>) {
        merge_values(
            &mut self.value,
            patch,
            node,
            &mut Path::new(),
            &mut self.floats,
        );
    }
}

fn merge_values(
    target: &mut Value,
    patch: &Value,
    node: Option<SchemaNode<'_>>,
    path: &mut Path,
    floats: &mut Vec<(Path, f64)>,
) {
    match (target, patch) {
        (Value::Object(target), Value::Object(patch)) if node.is_none_or(SchemaNode::merges) => {
            for (key, value) in patch {
                let Some(slot) = target.get_mut(key) else {
                    target.insert(key.clone(), value.clone());
                    continue;
                };
                let step = Step::Key(key.clone().into());
                let node = node.and_then(|node| node.child(&step));
                path.push(step);
                merge_values(slot, value, node, path, floats);
                path.pop();
            }
        }
        (target, patch) => {
            target.clone_from(patch);
            floats.retain(|(float, _)| !float.starts_with(path));
        }
    }
}

/// A merge without its type, so that it is compiled once.
pub(super) struct Merge<'a> {
    /// Writes the value into which the patch is merged. It is written again only after a mistake.
    pub(super) base: &'a dyn Fn() -> Result<JsonWithFloats, Error>,
    pub(super) schema: &'a dyn Fn() -> Cow<'static, Value>,
    pub(super) patch: &'a Value,
    pub(super) at: &'a str,
}

/// Reads a document as the type and keeps the result.
pub(super) type Attempt<'a> = dyn FnMut(&Value, &ReadLog) -> Result<(), Error> + 'a;

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
