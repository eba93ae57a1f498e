//! The input of an update: JSON together with the floats that it cannot represent, and the settings of the update.

use crate::read::log::ReadLog;
use crate::schema::node::SchemaNode;
use crate::value::depth::has_null;
use crate::value::path::{Path, Step};
use crate::write::finite::not_finite;
use serde::Serialize;
use serde_json::{Error, Map, Value};
use std::borrow::Cow;

/// The effect of a document on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Structs and maps are merged key by key. An enum, a list and every other kind of value is replaced. An `Option` of a struct
    /// is merged if both values are objects.
    Merge,
    /// The document is a merge patch (RFC 7396): like `Merge`, but `null` removes a map entry. For a struct field, `null` is a
    /// value, because otherwise an `Option` whose default is `Some` could never become `None`.
    Patch,
    /// The document is the whole value. Only struct fields may be missing, and these keep their current values. A map, a list or
    /// an enum in the document must be complete. A type's own output is read back unchanged, provided that the type can read what
    /// it writes and that the value violates no constraint.
    Replace,
}

/// JSON together with the floats that it cannot represent. The JSON has `null` in place of these floats.
#[derive(Default)]
pub(crate) struct JsonWithFloats {
    pub(crate) value: Value,
    pub(crate) floats: Vec<(Path, f64)>,
}

impl JsonWithFloats {
    pub(crate) fn of<T: Serialize>(value: &T) -> Result<Self, Error> {
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

    /// Returns the floats inside the value at `path`.
    pub(crate) fn floats_within(&self, path: &[Step]) -> impl Iterator<Item = &(Path, f64)> {
        let floats = self.floats.iter();
        floats.filter(move |(float, _)| float.starts_with(path))
    }
}

/// The JSON to read as the type.
#[derive(Default)]
pub(crate) struct Document {
    pub(crate) value: Value,
    /// The floats that JSON cannot represent. The value has `null` in their place.
    pub(crate) floats: Vec<(Path, f64)>,
    /// The path of each `null` that removes an entry, if the type reads the enclosing object as a map.
    pub(crate) removals: Vec<Path>,
}

impl From<JsonWithFloats> for Document {
    fn from(JsonWithFloats { value, floats }: JsonWithFloats) -> Self {
        Self {
            value,
            floats,
            removals: Vec::new(),
        }
    }
}

impl From<Value> for Document {
    fn from(value: Value) -> Self {
        Self {
            value,
            ..Self::default()
        }
    }
}

impl Document {
    /// Merges `patch` into the document.
    pub(crate) fn merge(&mut self, patch: &Value, node: Option<SchemaNode<'_>>, is_struct: bool) {
        let Self {
            value,
            floats,
            removals,
        } = self;
        let mut merge = Merge {
            path: Path::new(),
            is_struct,
            floats,
            removals,
        };
        merge.merge(value, patch, node);
    }

    /// Forgets the floats inside the value at `path`, which is being replaced.
    pub(crate) fn drop_floats(&mut self, path: &[Step]) {
        self.floats.retain(|(float, _)| !float.starts_with(path));
    }
}

/// The state of a merge as it walks the document.
struct Merge<'a> {
    path: Path,
    /// Whether the root is known to be a struct.
    is_struct: bool,
    floats: &'a mut Vec<(Path, f64)>,
    removals: &'a mut Vec<Path>,
}

impl Merge<'_> {
    fn merge(&mut self, target: &mut Value, patch: &Value, node: Option<SchemaNode<'_>>) {
        let entries = match patch {
            Value::Object(entries) if node.is_none_or(SchemaNode::merges) => entries,
            _ => return self.replace(target, patch.clone()),
        };
        if !target.is_object() {
            self.replace(target, Value::Object(Map::new()));
        }
        let Value::Object(target) = target else {
            return;
        };
        for (key, value) in entries {
            let may_be_map = !(self.is_struct && self.path.is_empty());
            let step = Step::Key(key.clone().into());
            let child = node.and_then(|node| node.child(&step));
            self.path.push(step);
            if value.is_null() && may_be_map && node.is_none_or(|node| node.may_have_entry(key)) {
                self.removals.push(self.path.clone());
            }
            let slot = target.entry(key.clone()).or_insert(Value::Null);
            self.merge(slot, value, child);
            self.path.pop();
        }
    }

    fn replace(&mut self, target: &mut Value, value: Value) {
        *target = value;
        let path = &self.path;
        self.floats.retain(|(float, _)| !float.starts_with(path));
    }
}

/// An update without its type, so that its code is compiled once.
pub(crate) struct UpdateInput<'a> {
    /// Serializes the value to be updated. This is called again only after a mistake.
    pub(crate) base: &'a dyn Fn() -> Result<JsonWithFloats, Error>,
    pub(crate) schema: &'a dyn Fn() -> Cow<'static, Value>,
    /// Serializes the value that the last read produced.
    pub(crate) rewritten: &'a dyn Fn() -> Value,
    pub(crate) document: &'a Value,
    pub(crate) update: Update,
    pub(crate) at: &'a str,
    /// Whether the type is a struct whose `Deserialize` asks for a map; see [`Layout`](crate::update::Layout).
    pub(crate) is_struct: bool,
    /// The paths of the secrets.
    pub(crate) secrets: &'a [&'a str],
    /// The maximum number of times that the document may be read to find its mistakes.
    pub(crate) most_readings: usize,
    /// Whether there is no earlier value, because the document is a call's arguments or an answer. In that case, ignored keys are
    /// not mistakes.
    pub(crate) is_call: bool,
}

/// Reads a document as the type and keeps the result.
pub(crate) type Attempt<'a> = dyn FnMut(&Value, &ReadLog<'_>) -> Result<(), Error> + 'a;
