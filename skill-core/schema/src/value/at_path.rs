//! Reads and changes the parts of a document by path.

use std::collections::HashSet;

use serde_json::Value;

use crate::value::path::{Path, Step};

/// Returns the value at `path`.
pub(crate) fn at<'v>(value: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.as_object()?.get(&**key),
        Step::Index(index) => value.as_array()?.get(*index),
    })
}

fn at_mut<'v>(value: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.as_object_mut()?.get_mut(&**key),
        Step::Index(index) => value.as_array_mut()?.get_mut(*index),
    })
}

/// Replaces the value at `path`, or adds it to the object that lacks it. Returns whether that was possible.
pub(crate) fn put(document: &mut Value, path: &[Step], value: Value) -> bool {
    if let Some(place) = at_mut(document, path) {
        *place = value;
        return true;
    }
    let Some((Step::Key(key), parent)) = path.split_last() else {
        return false;
    };
    match at_mut(document, parent) {
        Some(Value::Object(object)) => {
            object.insert(key.clone().into_owned(), value);
            true
        }
        _ => false,
    }
}

/// Removes a key. Returns whether the key existed.
pub(crate) fn remove(document: &mut Value, path: &Path) -> bool {
    remove_all(document, std::slice::from_ref(path))
}

/// Removes keys. In `paths`, the keys of one object must be adjacent. Returns whether any of them existed.
pub(crate) fn remove_all(document: &mut Value, paths: &[Path]) -> bool {
    let mut any = false;
    for keys in paths.chunk_by(|a, b| parent(a) == parent(b)) {
        let Some(Value::Object(object)) = at_mut(document, parent(&keys[0])) else {
            continue;
        };
        let names: HashSet<&str> = keys.iter().filter_map(key).collect();
        let before = object.len();
        // `Map::remove` would change the order of the other keys
        object.retain(|name, _| !names.contains(&**name));
        any |= object.len() < before;
    }
    any
}

fn parent(path: &Path) -> &[Step] {
    path.split_last().map_or(&[], |(_, parent)| parent)
}

fn key(path: &Path) -> Option<&str> {
    match path.last()? {
        Step::Key(key) => Some(key),
        Step::Index(_) => None,
    }
}
