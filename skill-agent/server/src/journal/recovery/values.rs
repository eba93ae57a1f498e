//! Compares and changes a stored value alongside the value read from it.

use serde_json::Value;
use skill_core::process::{Comparison, StoredValue};
use std::collections::HashSet;

/// The path from a state to one of its values.
pub(super) type Steps = Vec<StoredValue>;

/// Finds the maps where `old` is stored and only `new` was read.
pub(super) fn find_maps(
    stored: &StoredValue,
    read: &StoredValue,
    old: &str,
    new: &str,
    found: &mut Vec<Steps>,
) {
    fn find(
        (stored, read): (&StoredValue, &StoredValue),
        (old, new): (&str, &str),
        here: &mut Steps,
        found: &mut Vec<Steps>,
    ) {
        let mut visit = |step: StoredValue, parts| {
            here.push(step);
            find(parts, (old, new), here, found);
            here.pop();
        };
        match (stored, read) {
            (StoredValue::List(items), StoredValue::List(others)) => {
                for (index, parts) in items.iter().zip(others).enumerate() {
                    visit(StoredValue::Integer(index as i128), parts);
                }
            }
            (StoredValue::Map(entries), StoredValue::Map(_)) => {
                for (key, value) in entries {
                    if let Some(other) = read.at(std::slice::from_ref(key)) {
                        visit(key.clone(), (value, other));
                    }
                }
                let is_renamed = stored.entry(old).is_some()
                    && stored.entry(new).is_none()
                    && read.entry(old).is_none()
                    && read.entry(new).is_some();
                if is_renamed {
                    found.push(here.clone());
                }
            }
            _ => {}
        }
    }
    find((stored, read), (old, new), &mut Steps::new(), found);
}

/// Replaces a variant's old name wherever the new name was read.
pub(super) fn rename_texts(stored: &mut StoredValue, read: &StoredValue, old: &str, new: &str) {
    match (stored, read) {
        (StoredValue::Text(stored), StoredValue::Text(read)) if stored == old && read == new => {
            new.clone_into(stored);
        }
        (stored, read) => {
            each_part(stored, read, &mut |stored, read| {
                rename_texts(stored, read, old, new);
            });
        }
    }
}

/// Removes an empty field wherever it was not read.
pub(super) fn remove_empty(stored: &mut StoredValue, read: &StoredValue, field: &str) {
    if let (StoredValue::Map(entries), StoredValue::Map(_)) = (&mut *stored, read)
        && read.entry(field).is_none()
    {
        entries.retain(|(key, value)| key.as_text() != Some(field) || !is_empty(value));
    }
    each_part(stored, read, &mut |stored, read| {
        remove_empty(stored, read, field);
    });
}

/// Visits each pair of parts at the same position in both values.
fn each_part(
    stored: &mut StoredValue,
    read: &StoredValue,
    visit: &mut dyn FnMut(&mut StoredValue, &StoredValue),
) {
    match (stored, read) {
        (StoredValue::List(items), StoredValue::List(others)) => {
            for (item, other) in items.iter_mut().zip(others) {
                visit(item, other);
            }
        }
        (StoredValue::Map(entries), StoredValue::Map(_)) => {
            for (key, value) in entries {
                if let Some(other) = read.at(std::slice::from_ref(key)) {
                    visit(value, other);
                }
            }
        }
        _ => {}
    }
}

/// Returns whether a value is empty: null, false, zero, or without content.
pub(super) fn is_empty(value: &StoredValue) -> bool {
    match value {
        StoredValue::Null | StoredValue::Bool(false) | StoredValue::Integer(0) => true,
        StoredValue::Float(float) => *float == 0.0,
        StoredValue::Text(text) => text.is_empty(),
        StoredValue::Bytes(bytes) => bytes.is_empty(),
        StoredValue::List(items) => items.is_empty(),
        StoredValue::Map(entries) => entries.is_empty(),
        StoredValue::Bool(true) | StoredValue::Integer(_) => false,
    }
}

/// Returns whether the read value has everything that the stored value has.
pub(super) fn is_in(stored: &StoredValue, read: &StoredValue) -> bool {
    let lost = stored.clone();
    lost.difference(read.clone(), Comparison::MayHaveMore)
        .is_none()
}

pub(super) fn collect_constants(schema: &Value, constants: &mut HashSet<String>) {
    match schema {
        Value::Array(items) => {
            for item in items {
                collect_constants(item, constants);
            }
        }
        Value::Object(entries) => {
            for (keyword, value) in entries {
                match (keyword.as_str(), value) {
                    ("const", Value::String(text)) => _ = constants.insert(text.clone()),
                    ("enum", Value::Array(items)) => {
                        let texts = items.iter().filter_map(Value::as_str);
                        constants.extend(texts.map(str::to_owned));
                    }
                    _ => collect_constants(value, constants),
                }
            }
        }
        _ => {}
    }
}

/// Renames a variant everywhere, with or without content.
pub(super) fn rename_variant(value: &mut StoredValue, old: &str, new: &str) {
    match value {
        StoredValue::Text(text) if text == old => new.clone_into(text),
        StoredValue::List(items) => {
            for item in items {
                rename_variant(item, old, new);
            }
        }
        StoredValue::Map(entries) => {
            for (key, value) in entries {
                rename_variant(key, old, new);
                rename_variant(value, old, new);
            }
        }
        _ => {}
    }
}

/// Returns whether the third reading agrees with the first two wherever those two agree.
pub(super) fn is_as_stable(read: &StoredValue, again: &StoredValue, third: &StoredValue) -> bool {
    if is_equal(read, again) {
        return is_equal(read, third);
    }
    match (read, again) {
        (StoredValue::Map(entries), StoredValue::Map(_)) => {
            let StoredValue::Map(others) = third else {
                return false;
            };
            let is_known = |(key, _): &(StoredValue, StoredValue)| {
                let key = std::slice::from_ref(key);
                read.at(key).or_else(|| again.at(key)).is_some()
            };
            others.iter().all(is_known)
                && entries.iter().all(|(key, read)| {
                    let key = std::slice::from_ref(key);
                    match (again.at(key), third.at(key)) {
                        (Some(again), Some(third)) => is_as_stable(read, again, third),
                        (again, _) => again.is_none(),
                    }
                })
        }
        (StoredValue::List(items), StoredValue::List(again)) if items.len() == again.len() => {
            let StoredValue::List(third) = third else {
                return false;
            };
            let mut readings = items.iter().zip(again).zip(third);
            items.len() == third.len()
                && readings.all(|((read, again), third)| is_as_stable(read, again, third))
        }
        _ => true,
    }
}

/// Returns whether both values are maps, or both are lists.
pub(super) fn is_like(one: &StoredValue, other: &StoredValue) -> bool {
    matches!(
        (one, other),
        (StoredValue::Map(_), StoredValue::Map(_)) | (StoredValue::List(_), StoredValue::List(_))
    )
}

pub(super) fn is_equal(one: &StoredValue, other: &StoredValue) -> bool {
    let different = one.clone();
    different
        .difference(other.clone(), Comparison::Exact)
        .is_none()
}
