//! Parses the words after a command in `tool_dispatch` mode into an action's arguments, with the types of the action's schema.
//!
//! Nothing is guessed. If a word does not have the type that the schema requires, the error shows what the schema allows. The
//! action itself checks ranges when it is called.

use super::schema::{ArgumentSchema, JsonType, JsonTypes};
use super::shell_words::Word;
use crate::escape;
use serde_json::{Map, Value};
use skill_agent_schema::read_document;
use skill_core::__private::nearest;
use skill_core::MAX_ARGUMENT_BYTES;

/// The error for words that are not valid arguments of the action.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    /// The action has no property with this name.
    #[error(
        "there is no property '{}'{}",
        escape::as_typed(property),
        hint(suggestion, *may_be_text)
    )]
    #[non_exhaustive]
    Unknown {
        /// The text before the `=`.
        property: String,
        /// The most similar property name.
        suggestion: Option<String>,
        /// `true` if the word, once quoted, could be part of the only required string property.
        may_be_text: bool,
    },
    /// A word begins with `=`.
    #[error("nothing precedes a '='; write 'property=value' without blanks")]
    NoProperty,
    /// A required property has no value.
    #[error("the property '{}' is missing", escape::name(property))]
    #[non_exhaustive]
    Missing {
        /// The property's name.
        property: String,
    },
    /// A property is set twice.
    #[error("the property '{}' is given twice", escape::as_typed(property))]
    #[non_exhaustive]
    Repeated {
        /// The property's name.
        property: String,
    },
    /// The value does not have the property's type.
    #[error(
        "'{}' for '{}' is not a valid {expected}{}",
        escape::as_typed(value),
        escape::as_typed(property),
        spelling(expected)
    )]
    #[non_exhaustive]
    WrongType {
        /// The property's name.
        property: String,
        /// The text after the `=`.
        value: String,
        /// The schema's types, such as `integer|boolean`, or `json` for any type.
        expected: String,
    },
    /// The property of a word without `=` is unclear. Such words can only form the value of the only required string property.
    #[error(
        "it is not clear which property '{}' is; write 'property=value', and quotes around a value with blanks",
        escape::as_typed(word)
    )]
    #[non_exhaustive]
    Bare {
        /// The word as typed.
        word: String,
    },
}

fn hint(suggestion: &Option<String>, may_be_text: bool) -> String {
    match suggestion {
        Some(name) => format!(" (did you mean '{name}'?)"),
        None if may_be_text => "; quote a string that contains '='".to_owned(),
        None => String::new(),
    }
}

/// Explains how to write a value of a type, if that is not obvious.
fn spelling(expected: &str) -> &'static str {
    match expected {
        "boolean" => ", which is 'true' or 'false'",
        "json" => ", in which a string is '\"a string\"'",
        types
            if types
                .split('|')
                .any(|name| matches!(name, "array" | "object")) =>
        {
            ", which is JSON in single quotes"
        }
        _ => "",
    }
}

/// Parses the words into a JSON object. Words of the form `key=value` set properties, and the other words, which must be
/// adjacent, form the value of the only required string property.
pub(crate) fn arguments(
    words: &[Word],
    schema: ArgumentSchema<'_>,
) -> Result<String, ArgumentError> {
    let mut object = Map::new();
    let mut bare: Option<(usize, Word)> = None;
    for (index, word) in words.iter().enumerate() {
        let Some(equals) = word.equals else {
            match &mut bare {
                None => bare = Some((index, word.clone())),
                Some((last, rest)) if *last + 1 == index => {
                    *last = index;
                    rest.text.push(' ');
                    rest.text.push_str(&word.text);
                    rest.quoted |= word.quoted;
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
        let Some(types) = schema.types(property) else {
            return Err(unknown(property, schema));
        };
        let value = typed(property, value, word.quoted, &types)?;
        if object.insert(property.to_owned(), value).is_some() {
            let property = property.to_owned();
            return Err(ArgumentError::Repeated { property });
        }
    }
    if let Some((_, Word { text, quoted, .. })) = bare {
        let property = schema
            .only_string()
            .filter(|name| !object.contains_key(*name));
        let Some((property, types)) = property.and_then(|name| Some((name, schema.types(name)?)))
        else {
            return Err(ArgumentError::Bare { word: text });
        };
        let value = typed(property, &text, quoted, &types)?;
        object.insert(property.to_owned(), value);
    }
    let missing = schema.required().find(|name| !object.contains_key(*name));
    if let Some(property) = missing.map(str::to_owned) {
        return Err(ArgumentError::Missing { property });
    }
    Ok(Value::Object(object).to_string())
}

/// Parses a value as one of the given types. If a string is allowed, the value is a string unless it is an unquoted number or
/// boolean of an allowed type. Even `null` is then a string, so omit the property to pass no value.
fn typed(
    property: &str,
    value: &str,
    quoted: bool,
    types: &JsonTypes,
) -> Result<Value, ArgumentError> {
    let read = || {
        let read = read_document(value, MAX_ARGUMENT_BYTES).ok();
        read.filter(|value| types.take(value))
    };
    if types.has(JsonType::Text) {
        let scalar = if quoted || !types.has_scalar() {
            None
        } else {
            read().filter(|value| value.is_number() || value.is_boolean())
        };
        return Ok(scalar.unwrap_or_else(|| Value::String(value.to_owned())));
    }
    read().ok_or_else(|| ArgumentError::WrongType {
        property: property.to_owned(),
        value: value.to_owned(),
        expected: types.to_string(),
    })
}

fn unknown(property: &str, schema: ArgumentSchema<'_>) -> ArgumentError {
    ArgumentError::Unknown {
        property: property.to_owned(),
        suggestion: nearest(property, schema.names()).map(escape::name),
        may_be_text: schema.only_string().is_some(),
    }
}

#[cfg(test)]
mod tests;
