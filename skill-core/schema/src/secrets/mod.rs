//! Secrets in JSON: values that are stored and never shown.
//!
//! A secret is identified by its path, such as `token` or `login.password`. List items share the list's path, so
//! `accounts.password` is the password of every account.

pub(crate) mod hidden;

use crate::schema::visit::{Branch, change, subschemas_mut};
use crate::value::path::{Step, join};
use schemars::Schema;
use serde_json::Value;
use skill_agent_grammar::push_key;

/// The text that replaces a secret in messages and values.
pub const MASK: &str = "<secret>";

/// The position of a path relative to the secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// At a secret or inside one.
    Secret,
    /// At a value that may contain secrets.
    Above,
    /// At a value without secrets.
    Apart,
}

pub(crate) fn place(at: &str, secrets: &[&str]) -> Place {
    let mut place = Place::Apart;
    for secret in secrets {
        if is_within(at, secret) {
            return Place::Secret;
        }
        if is_within(secret, at) {
            place = Place::Above;
        }
    }
    place
}

/// Returns whether the value at path `at` is a secret or a part of one.
pub fn is_secret(at: &str, secrets: &[&str]) -> bool {
    place(at, secrets) == Place::Secret
}

/// Returns whether `path` is `other` or below it.
fn is_within(path: &str, other: &str) -> bool {
    other.is_empty()
        || path
            .strip_prefix(other)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Returns the path in the form used for secrets: without list positions.
pub(crate) fn without_positions(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        if let Step::Key(key) = step {
            push_key(&mut text, key);
        }
    }
    text
}

/// Returns the path of the value behind `keys`. A key may be a list position.
fn path_of(keys: &[&str], secrets: &[&str]) -> String {
    let is_position = |key: &str| {
        key == "-" || (!key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut text = String::new();
    for key in keys {
        let next = join(&text, key);
        if !is_position(key) || place(&next, secrets) != Place::Apart {
            text = next;
        }
    }
    text
}

/// Replaces the secrets in `value` with [`MASK`]. `keys` are the keys that lead from the document's root to `value`.
pub fn mask(value: &mut Value, keys: &[&str], secrets: &[&str]) {
    mask_at(value, &path_of(keys, secrets), secrets);
}

fn mask_at(value: &mut Value, at: &str, secrets: &[&str]) {
    match (place(at, secrets), value) {
        (Place::Secret, value) => *value = Value::from(MASK),
        (Place::Above, Value::Object(entries)) => {
            for (key, value) in entries {
                mask_at(value, &join(at, key), secrets);
            }
        }
        (Place::Above, Value::Array(items)) => {
            for item in items {
                mask_at(item, at, secrets);
            }
        }
        // If there is a string where an object with a secret field is expected, the whole string is masked.
        (Place::Above, value @ (Value::String(_) | Value::Number(_))) => *value = Value::from(MASK),
        (Place::Above | Place::Apart, _) => {}
    }
}

/// Returns the secrets in `value`, the root of a document.
pub fn parts<'v>(value: &'v Value, secrets: &[&str]) -> Vec<&'v Value> {
    let mut found = Vec::new();
    collect(value, "", secrets, &mut found);
    found
}

fn collect<'v>(value: &'v Value, at: &str, secrets: &[&str], found: &mut Vec<&'v Value>) {
    match (place(at, secrets), value) {
        (Place::Apart, _) => {}
        (Place::Above, Value::Object(entries)) => {
            for (key, value) in entries {
                collect(value, &join(at, key), secrets, found);
            }
        }
        (Place::Above, Value::Array(items)) => {
            for item in items {
                collect(item, at, secrets, found);
            }
        }
        (Place::Above | Place::Secret, value) => found.push(value),
    }
}

/// Removes the defaults and examples of secrets from a schema. They are removed rather than masked, because a program that fills
/// in a form from the schema would send the mask as the value.
pub fn without_secrets(schema: &mut Schema, secrets: &[&str]) {
    if !secrets.is_empty() {
        change(schema, |schema| clean(schema, "", secrets));
    }
}

fn clean(schema: &mut Value, at: &str, secrets: &[&str]) {
    match place(at, secrets) {
        Place::Apart => return,
        Place::Secret => {
            if let Value::Object(keywords) = schema {
                keywords.retain(|keyword, _| !matches!(&keyword[..], "default" | "examples"));
            }
        }
        Place::Above => {
            if let Some(default) = schema.get_mut("default") {
                remove(default, at, secrets);
            }
            if let Some(Value::Array(examples)) = schema.get_mut("examples") {
                for example in examples {
                    remove(example, at, secrets);
                }
            }
        }
    }
    subschemas_mut(schema, &mut |branch, part| match branch {
        Branch::Name("properties", key) => clean(part, &join(at, key), secrets),
        // This is the definition of a recursive type, and it is unknown which uses of the type are secret.
        Branch::Name("$defs", _) => clean(part, "", &[""]),
        _ => clean(part, at, secrets),
    });
}

/// Removes the secrets from a value.
fn remove(value: &mut Value, at: &str, secrets: &[&str]) {
    match value {
        Value::Object(entries) => {
            entries.retain(|key, _| place(&join(at, key), secrets) != Place::Secret);
            for (key, value) in entries {
                remove(value, &join(at, key), secrets);
            }
        }
        Value::Array(items) => {
            for item in items {
                remove(item, at, secrets);
            }
        }
        _ => {}
    }
}
