//! A partial document over a typed value: what `set`, `from_state_json` and `validate` do.

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

/// Reads `patch` laid over `current`.
///
/// Objects merge key by key; an enum, which is `oneOf` or `anyOf` in the schema, and every other kind of
/// value is replaced. `null` or a struct (an `Option`) merges when both are objects. NaN and infinities
/// in `current` stay where `patch` does not replace them. A field that serde skips is no part of the
/// JSON and comes out as its default.
///
/// `schema` is that of `T`, where somebody has made it already.
///
/// Everything that is wrong with `patch` is pushed to `problems` with its path below `at`: all of it, up
/// to a generous limit, and keys that nothing reads as well. Returns `None` when anything was pushed.
pub(crate) fn overlay<T: Serialize + DeserializeOwned + JsonSchema>(
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
    let job = Overlay {
        base: &|| Document::of(current),
        schema: &|| match schema {
            Some(made) => Cow::Borrowed(made()),
            None => Cow::Owned(schema_of::<T>().to_value()),
        },
        patch,
        at,
    };
    job.run(&mut attempt, problems);
    read.filter(|_| problems.len() == before)
}

/// JSON, and the floats that it cannot hold: `null` stands in their places.
pub(super) struct Document {
    pub(super) value: Value,
    pub(super) floats: Vec<(Path, f64)>,
}

impl Document {
    fn of<T: Serialize>(value: &T) -> Result<Self, Error> {
        let json = serde_json::to_value(value)?;
        let floats = match has_null(&json) {
            true => not_finite(value, usize::MAX),
            false => Vec::new(),
        };
        Ok(Self {
            value: json,
            floats,
        })
    }

    /// Lays `patch` over the part at `path`.
    fn lay(&mut self, patch: &Value, place: Option<SchemaNode<'_>>) {
        merge(
            &mut self.value,
            patch,
            place,
            &mut Path::new(),
            &mut self.floats,
        );
    }
}

fn merge(
    target: &mut Value,
    patch: &Value,
    place: Option<SchemaNode<'_>>,
    path: &mut Path,
    floats: &mut Vec<(Path, f64)>,
) {
    match (target, patch) {
        (Value::Object(target), Value::Object(patch)) if place.is_none_or(SchemaNode::merges) => {
            for (key, value) in patch {
                let Some(slot) = target.get_mut(key) else {
                    target.insert(key.clone(), value.clone());
                    continue;
                };
                let step = Step::Key(key.clone().into());
                let place = place.and_then(|place| place.child(&step));
                path.push(step);
                merge(slot, value, place, path, floats);
                path.pop();
            }
        }
        (target, patch) => {
            target.clone_from(patch);
            floats.retain(|(float, _)| !float.starts_with(path));
        }
    }
}

/// An overlay without its type, so that it is compiled once.
pub(super) struct Overlay<'a> {
    /// The value that the patch is laid over, written anew each time: only mistakes need it twice.
    pub(super) base: &'a dyn Fn() -> Result<Document, Error>,
    pub(super) schema: &'a dyn Fn() -> Cow<'static, Value>,
    pub(super) patch: &'a Value,
    pub(super) at: &'a str,
}

/// Reads a document as the type in question and keeps the result.
pub(super) type Attempt<'a> = dyn FnMut(&Value, &ReadLog) -> Result<(), Error> + 'a;

impl Overlay<'_> {
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
        let place = SchemaNode::root(&schema);
        merged.lay(self.patch, Some(place));
        resolve(self, merged, place, attempt, problems);
    }
}
