//! Parses the arguments that a model passes to the catalog's tools.

use serde_json::{Map, Value};
use skill_agent_schema::read_document;
use skill_core::process::check_arguments;
use skill_core::{MAX_ARGUMENT_BYTES, ReadError};

/// The parsed arguments of a tool call.
#[derive(Debug)]
pub(crate) struct ToolArguments(Map<String, Value>);

impl ToolArguments {
    /// Parses the arguments and checks them against the schema of an object. An optional argument may be `null`.
    ///
    /// # Errors
    /// Returns an error if the arguments are too large, are not JSON, repeat a key, or do not match the schema. The error for a
    /// mismatch lists all problems.
    pub(crate) fn read(arguments: &str, schema: &Value) -> Result<Self, ReadError> {
        let mut arguments = read_document(arguments, MAX_ARGUMENT_BYTES)?;
        if let Some(object) = arguments.as_object_mut() {
            let required = schema["required"].as_array();
            let is_required =
                |key: &String| required.is_some_and(|names| names.iter().any(|name| name == key));
            object.retain(|key, value| !value.is_null() || is_required(key));
        }
        check_arguments(&arguments, schema).map_err(ReadError::Several)?;
        match arguments {
            Value::Object(object) => Ok(Self(object)),
            _ => Ok(Self(Map::new())),
        }
    }

    /// Takes a string argument that the schema requires.
    pub(crate) fn text(&mut self, key: &str) -> String {
        match self.0.remove(key) {
            Some(Value::String(text)) => text,
            _ => String::new(),
        }
    }

    /// Takes an unsigned integer, or 0 if the argument is missing. As in an action's arguments, `2.0` is accepted for `2`.
    pub(crate) fn whole_number(&mut self, key: &str) -> u64 {
        let value = self.0.remove(key).unwrap_or_default();
        let float = || value.as_f64().map(|float| float as u64);
        value.as_u64().or_else(float).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(json: &str) -> Result<u64, String> {
        let schema = json!({ "type": "object", "properties": { "offset": { "type": "integer", "minimum": 0 } } });
        let arguments = ToolArguments::read(&format!("{{\"offset\":{json}}}"), &schema);
        let arguments = arguments.map_err(|error| error.to_string());
        arguments.map(|mut arguments| arguments.whole_number("offset"))
    }

    #[test]
    fn a_whole_number_is_read_in_every_form() {
        for (json, expected) in [
            ("0", 0),
            ("65408", 65_408),
            ("2.0", 2),
            ("1e3", 1_000),
            ("18446744073709551615", u64::MAX),
            ("1e300", u64::MAX),
            ("null", 0),
        ] {
            assert_eq!(read(json), Ok(expected), "{json}");
        }
        for (json, expected) in [
            ("-1", "`offset`: -1 is out of range, expected 0.."),
            (
                "1.5",
                "`offset`: invalid type: floating point `1.5`, expected an integer",
            ),
            (
                "\"2\"",
                "`offset`: invalid type: string \"2\", expected an integer",
            ),
            ("[]", "`offset`: invalid type: a list, expected an integer"),
        ] {
            assert_eq!(read(json), Err(expected.to_owned()), "{json}");
        }
    }
}
