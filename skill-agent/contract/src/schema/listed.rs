//! The values of `enum` and `const`.

use serde_json::{Number, Value};
use std::collections::HashSet;

/// Values in schema order, with an index that makes comparing schemas with many values take linear time.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed<'s> {
    values: Vec<&'s Value>,
    index: HashSet<String>,
}

impl<'s> Listed<'s> {
    /// Adds a value. Returns `false` if the value is already there.
    pub(super) fn push(&mut self, value: &'s Value) -> bool {
        let is_new = self.index.insert(key(value));
        if is_new {
            self.values.push(value);
        }
        is_new
    }

    pub(super) fn contains(&self, value: &Value) -> bool {
        self.index.contains(&key(value))
    }

    pub(super) fn values(&self) -> &[&'s Value] {
        &self.values
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl<'s> FromIterator<&'s Value> for Listed<'s> {
    fn from_iter<I: IntoIterator<Item = &'s Value>>(values: I) -> Self {
        let mut listed = Self::default();
        for value in values {
            listed.push(value);
        }
        listed
    }
}

/// Returns the same text for values that are equal as JSON: `1` and `1.0` are the same number, and the order of fields does not
/// matter.
fn key(value: &Value) -> String {
    match value {
        Value::Number(number) => number_key(number),
        Value::String(text) => format!("\"{text}"),
        Value::Array(items) => {
            // lengths keep values apart whose texts contain the separators
            let items = items.iter().map(|item| with_length(&key(item)));
            format!("[{}", items.collect::<String>())
        }
        Value::Object(fields) => {
            let field =
                |(name, value): (&String, &Value)| with_length(name) + &with_length(&key(value));
            let mut fields: Vec<String> = fields.iter().map(field).collect();
            fields.sort_unstable();
            format!("{{{}", fields.concat())
        }
        Value::Null | Value::Bool(_) => value.to_string(),
    }
}

fn with_length(text: &str) -> String {
    format!("{}:{text}", text.len())
}

fn number_key(number: &Number) -> String {
    // below this limit, an `i128` can represent any float without a fractional part
    const LIMIT: f64 = 1e38;
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < LIMIT => {
            (float as i128).to_string()
        }
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_that_are_equal_as_json_are_listed_once() {
        let values = [
            json!(1),
            json!(1.0),
            json!("1"),
            json!(1.5),
            json!(-0.0),
            json!(0),
            json!(u64::MAX),
            json!(null),
            json!("null"),
            json!([1]),
            json!([1.0]),
            json!({"a": 1, "b": 2}),
            json!({"b": 2.0, "a": 1}),
        ];
        let listed: Listed<'_> = values.iter().collect();
        let shown: Vec<_> = listed.values().iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "1",
                "\"1\"",
                "1.5",
                "-0.0",
                "18446744073709551615",
                "null",
                "\"null\"",
                "[1]",
                "{\"a\":1,\"b\":2}"
            ]
        );
        assert!(listed.contains(&json!(1.0)) && !listed.contains(&json!("1.5")));
    }
}
