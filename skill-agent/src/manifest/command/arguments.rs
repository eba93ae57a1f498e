//! Words as the arguments of an action, typed by its schema: what a person writes after a command of mode `tool_dispatch`.
//!
//! Nothing is guessed: a word is of the type that the schema says, or it is an error that shows the schema. Whether the arguments
//! are in range, the action itself says when it is called.

use super::schema::{ArgumentSchema, Kind, Kinds};
use super::words::Word;
use crate::manifest::escape;
use serde_json::{Map, Value};
use skill_core::__private::{nearest, read_document};
use skill_core::MAX_ARGUMENT_BYTES;

/// Why words are not the arguments of an action.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    /// The action has no such property.
    #[error(
        "there is no property '{}'{}",
        escape::as_typed(property),
        hint(suggestion, *may_be_text)
    )]
    #[non_exhaustive]
    Unknown {
        /// What was written before the `=`.
        property: String,
        /// The nearest property there is.
        suggestion: Option<String>,
        /// Whether the word could be part of the one required text, if it stood in quotes.
        may_be_text: bool,
    },
    /// A word that begins with `=`.
    #[error("nothing stands before a '='; write 'property=value' without blanks")]
    NoProperty,
    /// A required property has no value.
    #[error("the property '{}' is missing", escape::name(property))]
    #[non_exhaustive]
    Missing {
        /// Its name.
        property: String,
    },
    /// A property has two values.
    #[error("the property '{}' is given twice", escape::as_typed(property))]
    #[non_exhaustive]
    Repeated {
        /// Its name.
        property: String,
    },
    /// A value is not of the type of its property.
    #[error(
        "'{}' for '{}' is no {expected}{}",
        escape::as_typed(value),
        escape::as_typed(property),
        spelling(expected)
    )]
    #[non_exhaustive]
    WrongType {
        /// Its name.
        property: String,
        /// What was written after the `=`.
        value: String,
        /// The types it has in the schema, as `integer|boolean`, and `json` for all.
        expected: String,
    },
    /// A word without `=`, and no property, or more than one, that could be meant: it must be the one required text.
    #[error(
        "it is not clear which property '{}' is; write 'property=value', and quotes around a value with blanks",
        escape::as_typed(word)
    )]
    #[non_exhaustive]
    Bare {
        /// The word.
        word: String,
    },
}

fn hint(suggestion: &Option<String>, may_be_text: bool) -> String {
    match suggestion {
        Some(name) => format!(" (did you mean '{name}'?)"),
        None if may_be_text => "; put a text with '=' into quotes".to_owned(),
        None => String::new(),
    }
}

/// How a value of a type is written, where that is not plain.
fn spelling(expected: &str) -> &'static str {
    match expected {
        "boolean" => ", which is 'true' or 'false'",
        "integer" | "number" => "",
        "json" => ", in which a text is '\"a text\"'",
        _ => ", which is JSON in single quotes",
    }
}

/// The arguments as JSON: `key=value` words are properties, and the other words, which stand together, are the one required text
/// that is not among them.
pub(crate) fn arguments(
    words: &[Word],
    schema: ArgumentSchema<'_>,
) -> Result<String, ArgumentError> {
    let mut object = Map::new();
    let mut bare: Option<(usize, String)> = None;
    for (index, word) in words.iter().enumerate() {
        let Some(equals) = word.equals else {
            match &mut bare {
                None => bare = Some((index, word.text.clone())),
                Some((last, rest)) if *last + 1 == index => {
                    *last = index;
                    rest.push(' ');
                    rest.push_str(&word.text);
                }
                Some(_) => {
                    let word = word.text.clone();
                    return Err(ArgumentError::Bare { word });
                }
            }
            continue;
        };
        let (property, value) = (&word.text[..equals], &word.text[equals + 1..]);
        if property.is_empty() {
            return Err(ArgumentError::NoProperty);
        }
        let Some(kinds) = schema.kinds(property) else {
            return Err(unknown(property, schema));
        };
        let value = typed(property, value, &kinds)?;
        if object.insert(property.to_owned(), value).is_some() {
            let property = property.to_owned();
            return Err(ArgumentError::Repeated { property });
        }
    }
    if let Some((_, text)) = bare {
        let property = schema.only_text().filter(|it| !object.contains_key(*it));
        let Some(property) = property else {
            return Err(ArgumentError::Bare { word: text });
        };
        object.insert(property.to_owned(), Value::String(text));
    }
    let missing = schema.required().find(|it| !object.contains_key(*it));
    if let Some(property) = missing.map(str::to_owned) {
        return Err(ArgumentError::Missing { property });
    }
    Ok(Value::Object(object).to_string())
}

fn typed(property: &str, value: &str, kinds: &Kinds) -> Result<Value, ArgumentError> {
    if kinds.has(Kind::Text) {
        return Ok(Value::String(value.to_owned()));
    }
    let read = read_document(value, MAX_ARGUMENT_BYTES).ok();
    read.filter(|it| kinds.take(it))
        .ok_or_else(|| ArgumentError::WrongType {
            property: property.to_owned(),
            value: value.to_owned(),
            expected: kinds.to_string(),
        })
}

fn unknown(property: &str, schema: ArgumentSchema<'_>) -> ArgumentError {
    ArgumentError::Unknown {
        property: property.to_owned(),
        suggestion: nearest(property, schema.names()).map(escape::name),
        may_be_text: schema.only_text().is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::split;
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "text": { "type": "string" },
                "count": { "type": ["integer", "null"] },
                "ratio": { "type": "number" },
                "loud": { "type": "boolean" },
                "tags": { "type": "array", "items": { "type": "string" } },
                "place": { "type": "object" },
                "any": true,
            },
            "required": ["text"],
            "additionalProperties": false,
        })
    }

    fn read(line: &str) -> Result<Value, ArgumentError> {
        let schema = schema();
        let text = arguments(&split(line).unwrap(), ArgumentSchema(&schema))?;
        Ok(serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn words_have_the_type_of_their_property() {
        let cases = [
            ("text=5", json!({ "text": "5" })),
            ("text=", json!({ "text": "" })),
            ("buy milk", json!({ "text": "buy milk" })),
            ("count=3 'a=b'", json!({ "count": 3, "text": "a=b" })),
            ("x count=null", json!({ "count": null, "text": "x" })),
            (
                "x ratio=2 loud=true",
                json!({ "ratio": 2, "loud": true, "text": "x" }),
            ),
            ("x ratio=-1.5e3", json!({ "ratio": -1500.0, "text": "x" })),
            (
                r#"x tags='["a"]' place='{"x": 1}' any=7"#,
                json!({ "tags": ["a"], "place": { "x": 1 }, "any": 7, "text": "x" }),
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(read(line).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn all_else_is_told() {
        let cases = [
            (
                "cuont=1",
                "there is no property 'cuont' (did you mean 'count'?)",
            ),
            ("", "the property 'text' is missing"),
            ("count=1", "the property 'text' is missing"),
            (
                "http://a?b=c",
                "there is no property 'http://a?b'; put a text with '=' into quotes",
            ),
            (
                "text = a",
                "nothing stands before a '='; write 'property=value' without blanks",
            ),
            (
                "=1",
                "nothing stands before a '='; write 'property=value' without blanks",
            ),
            ("count=1.5", "'1.5' for 'count' is no integer"),
            ("count=", "'' for 'count' is no integer"),
            ("count=05", "'05' for 'count' is no integer"),
            (
                "loud=yes",
                "'yes' for 'loud' is no boolean, which is 'true' or 'false'",
            ),
            ("ratio=NaN", "'NaN' for 'ratio' is no number"),
            (
                r#"tags=["a"]"#,
                "'[a]' for 'tags' is no array, which is JSON in single quotes",
            ),
            (
                "any=a",
                "'a' for 'any' is no json, in which a text is '\"a text\"'",
            ),
            (
                "place='{\"a\":1,\"a\":2}'",
                "'{\"a\":1,\"a\":2}' for 'place' is no object, which is JSON in single quotes",
            ),
            ("count=1 count=2", "the property 'count' is given twice"),
            (
                "a count=1 b",
                "it is not clear which property 'b' is; write 'property=value', and quotes around a value with blanks",
            ),
            (
                "a text=b",
                "it is not clear which property 'a' is; write 'property=value', and quotes around a value with blanks",
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(read(line).unwrap_err().to_string(), expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn a_value_that_was_written_as_json_comes_back(count: i64, ratio: f64, loud: bool, tags: Vec<String>) {
            prop_assume!(ratio.is_finite());
            let quote = |it: Value| format!("'{}'", it.to_string().replace('\'', r"'\''"));
            let line = format!(
                "x count={count} ratio={} loud={loud} tags={}",
                quote(json!(ratio)), quote(json!(tags)),
            );
            let expected = json!({ "text": "x", "count": count, "ratio": ratio, "loud": loud, "tags": tags });
            prop_assert_eq!(read(&line).unwrap(), expected);
        }

        #[test]
        fn every_text_is_itself(text: String) {
            let quoted = format!("text='{}'", text.replace('\'', r"'\''"));
            prop_assert_eq!(read(&quoted).unwrap(), json!({ "text": text }));
        }
    }
}
