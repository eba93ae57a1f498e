//! Adds the fields that a whole document lacks.

use crate::schema::node::SchemaNode;
use crate::update::input::{Document, JsonWithFloats};
use crate::value::path::{Path, Step, StructPaths};
use serde_json::Value;

/// Returns whether an object in `base` has a key that the object at the same path in `document` lacks.
pub(crate) fn lacks_keys(document: &Value, base: &Value) -> bool {
    let (Value::Object(document), Value::Object(base)) = (document, base) else {
        return false;
    };
    base.iter().any(|(key, base)| {
        document
            .get(key)
            .is_none_or(|value| lacks_keys(value, base))
    })
}

/// Adds the fields of `base` that are missing in the structs of `document`. Returns whether any were missing.
///
/// `rewritten` is the type's output for `document`. If a field is missing there too, the type itself leaves it out, so the
/// document is complete without it.
pub(crate) fn add_missing_fields(
    document: &mut Document,
    base: &JsonWithFloats,
    rewritten: &Value,
    structs: &StructPaths,
    node: SchemaNode<'_>,
) -> bool {
    let mut addition = Addition {
        structs,
        path: Path::new(),
        added: Vec::new(),
    };
    addition.add(&mut document.value, &base.value, rewritten, node);
    for path in &addition.added {
        document.floats.extend(base.floats_within(path).cloned());
    }
    !addition.added.is_empty()
}

struct Addition<'a> {
    structs: &'a StructPaths,
    path: Path,
    added: Vec<Path>,
}

impl Addition<'_> {
    fn add(&mut self, target: &mut Value, base: &Value, rewritten: &Value, node: SchemaNode<'_>) {
        let (Value::Object(target), Value::Object(base), Value::Object(rewritten)) =
            (target, base, rewritten)
        else {
            return;
        };
        if !self.structs.contains(&self.path) || !node.merges() {
            return;
        }
        for (key, base) in base {
            let Some(rewritten) = rewritten.get(key) else {
                continue;
            };
            let step = Step::Key(key.clone().into());
            let child = node.child(&step);
            self.path.push(step);
            match (target.get_mut(key), child) {
                (Some(value), Some(child)) => self.add(value, base, rewritten, child),
                (Some(_), None) => {}
                (None, _) => {
                    target.insert(key.clone(), base.clone());
                    self.added.push(self.path.clone());
                }
            }
            self.path.pop();
        }
    }
}
