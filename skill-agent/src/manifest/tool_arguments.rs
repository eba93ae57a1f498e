//! Reads the arguments of the tools of a catalog, which a model wrote.

use serde_json::{Map, Value};
use skill_core::__private::read_document;
use skill_core::{MAX_ARGUMENT_BYTES, Problem, ReadError};

/// The largest integer up to which every `f64` without a fraction is exact.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// The arguments of a call.
#[derive(Debug)]
pub(super) struct ToolArguments(Map<String, Value>);

impl ToolArguments {
    /// Parses the arguments.
    ///
    /// # Errors
    /// Fails if they are too large, not JSON or not an object, or if a key is repeated or not among `known`.
    pub(super) fn read(arguments: &str, known: &[&str]) -> Result<Self, ReadError> {
        let object = match read_document(arguments, MAX_ARGUMENT_BYTES)? {
            Value::Object(object) => object,
            other => return Err(wrong_type("", &other, "an object")),
        };
        match object.keys().find(|key| !known.contains(&key.as_str())) {
            Some(unknown) => {
                let known = known.iter().copied();
                Err(ReadError::Data(Problem::unknown_field("", unknown, known)))
            }
            None => Ok(Self(object)),
        }
    }

    /// Takes a required string.
    ///
    /// # Errors
    /// Fails if it is missing or not a string.
    pub(super) fn text(&mut self, key: &str) -> Result<String, ReadError> {
        match self.0.remove(key) {
            Some(Value::String(text)) => Ok(text),
            Some(other) => Err(wrong_type(key, &other, "a string")),
            None => Err(wrong("", format!("missing field `{key}`"))),
        }
    }

    /// Takes an optional whole number. Like arguments of actions, it may be written as `2.0`.
    ///
    /// # Errors
    /// Fails if it is negative, has a fraction or is not a number.
    pub(super) fn whole_number(&mut self, key: &str) -> Result<Option<u64>, ReadError> {
        let value = match self.0.remove(key) {
            None | Some(Value::Null) => return Ok(None),
            Some(value) => value,
        };
        let whole = |float: &f64| float.fract() == 0.0 && (0.0..=MAX_EXACT).contains(float);
        match (&value, value.as_u64(), value.as_f64().filter(whole)) {
            (_, Some(number), _) => Ok(Some(number)),
            (_, None, Some(float)) => Ok(Some(float as u64)),
            (Value::Number(number), None, None) => {
                let message = format!("invalid value: `{number}`, expected a whole number from 0");
                Err(wrong(key, message))
            }
            _ => Err(wrong_type(key, &value, "a whole number")),
        }
    }
}

fn wrong(path: &str, message: String) -> ReadError {
    ReadError::Data(Problem::new(path, message))
}

fn wrong_type(path: &str, value: &Value, expected: &str) -> ReadError {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    wrong(path, format!("invalid type: {kind}, expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_read_in_every_form() {
        let read = |json: &str| {
            let mut arguments = ToolArguments::read(&format!("{{\"offset\":{json}}}"), &["offset"]);
            arguments.as_mut().unwrap().whole_number("offset")
        };
        for (json, expected) in [
            ("0", Some(0)),
            ("65408", Some(65_408)),
            ("2.0", Some(2)),
            ("1e3", Some(1_000)),
            ("18446744073709551615", Some(u64::MAX)),
            ("null", None),
        ] {
            assert_eq!(read(json).unwrap(), expected, "{json}");
        }
        for (json, expected) in [
            (
                "-1",
                "`offset`: invalid value: `-1`, expected a whole number from 0",
            ),
            (
                "1.5",
                "`offset`: invalid value: `1.5`, expected a whole number from 0",
            ),
            (
                "1e300",
                "`offset`: invalid value: `1e+300`, expected a whole number from 0",
            ),
            (
                "\"2\"",
                "`offset`: invalid type: string, expected a whole number",
            ),
            (
                "[]",
                "`offset`: invalid type: a list, expected a whole number",
            ),
        ] {
            assert_eq!(read(json).unwrap_err().to_string(), expected, "{json}");
        }
    }
}
