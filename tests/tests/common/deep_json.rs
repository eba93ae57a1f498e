//! JSON values nested too deeply for recursion.

use serde_json::{Map, Value};
use std::mem::ManuallyDrop;
use std::ops::Deref;

/// A value nested to any depth. It drops itself level by level, because `Drop` of `serde_json::Value` recurses.
pub struct DeepJson(ManuallyDrop<Value>);

impl DeepJson {
    /// Nests `levels` arrays below the keys of `path`.
    pub fn arrays(levels: usize, path: &[&str]) -> Self {
        Self::around(levels, path, |inner| Value::Array(vec![inner]))
    }

    /// Nests `levels` objects below the keys of `path`.
    pub fn objects(levels: usize, path: &[&str]) -> Self {
        Self::around(levels, path, |inner| within("k", inner))
    }

    fn around(levels: usize, path: &[&str], wrap: impl Fn(Value) -> Value) -> Self {
        let deep = (0..levels).fold(Value::Null, |inner, _| wrap(inner));
        let whole = path
            .iter()
            .rev()
            .fold(deep, |inner, key| within(key, inner));
        Self(ManuallyDrop::new(whole))
    }

    /// Returns the value itself. Convert it back with [`DeepJson::from`] before it is dropped.
    pub fn into_value(self) -> Value {
        let mut this = ManuallyDrop::new(self);
        std::mem::take(&mut *this.0)
    }
}

fn within(key: &str, inner: Value) -> Value {
    Value::Object(Map::from_iter([(key.to_owned(), inner)]))
}

impl From<Value> for DeepJson {
    fn from(value: Value) -> Self {
        Self(ManuallyDrop::new(value))
    }
}

impl Deref for DeepJson {
    type Target = Value;
    fn deref(&self) -> &Value {
        &self.0
    }
}

impl Drop for DeepJson {
    fn drop(&mut self) {
        let mut todo = vec![std::mem::take(&mut *self.0)];
        while let Some(value) = todo.pop() {
            match value {
                Value::Array(items) => todo.extend(items),
                Value::Object(entries) => todo.extend(entries.into_iter().map(|(_, value)| value)),
                _ => {}
            }
        }
    }
}

/// Returns the text of `levels` nested arrays, with or without the closing brackets.
pub fn nested_brackets(levels: usize, closed: bool) -> String {
    let close = if closed {
        "]".repeat(levels)
    } else {
        String::new()
    };
    "[".repeat(levels) + &close
}
