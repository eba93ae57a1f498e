//! The values of a merge: JSON with the floats that it cannot hold, and what a merge reads.

use super::cursor::ReadLog;
use super::depth::has_null;
use super::finite::not_finite;
use super::path::{Path, Step};
use super::schema_node::SchemaNode;
use serde::Serialize;
use serde_json::{Error, Value};
use std::borrow::Cow;

/// JSON, and the floats that it cannot hold, in whose places it has `null`.
pub(super) struct JsonWithFloats {
    pub(super) value: Value,
    pub(super) floats: Vec<(Path, f64)>,
}

impl JsonWithFloats {
    pub(super) fn of<T: Serialize>(value: &T) -> Result<Self, Error> {
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
    pub(super) fn merge(&mut self, patch: &Value, node: Option<SchemaNode<'_>>) {
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
    /// The paths of secrets.
    pub(super) secrets: &'a [&'a str],
}

/// Reads a document as the type and keeps the result.
pub(super) type Attempt<'a> = dyn FnMut(&Value, &ReadLog) -> Result<(), Error> + 'a;
