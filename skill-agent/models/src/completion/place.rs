//! A part of a completion with its path, for error messages.

use crate::completion::CompletionError;
use crate::completion::raw::{Kind, Raw};

/// Returns whether a call's arguments are complete: a JSON value, or nothing at all.
pub fn are_whole(arguments: &str) -> bool {
    arguments.trim().is_empty() || Raw::parse(arguments).is_ok()
}

/// A value in a completion.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The value as written.
    pub value: Raw<'a>,
    path: String,
}

impl<'a> Place<'a> {
    /// Parses a completion, which must be an object. Returns the provider's error if the completion contains one.
    pub fn completion(text: &'a str) -> Result<Self, CompletionError> {
        let whole = Self::root(Raw::parse(text).map_err(CompletionError::Json)?);
        if whole.value.kind() != Kind::Object {
            return Err(whole.malformed("a completion"));
        }
        match whole.get("error") {
            Some(error) => {
                let message = error.get("message").unwrap_or(error);
                let message = message.value;
                let message = message
                    .string()
                    .unwrap_or_else(|| message.text().to_owned());
                Err(CompletionError::Provider { message })
            }
            None => Ok(whole),
        }
    }

    /// Creates the root value, with an empty path.
    pub fn root(value: Raw<'a>) -> Self {
        let path = String::new();
        Self { value, path }
    }

    /// Returns the part under a key, or `None` if it is missing or `null`.
    pub fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        Some(Self {
            value,
            path: self.path_of(key),
        })
    }

    /// Returns the part under a key, or an error if it is missing or `null`.
    pub fn need(&self, key: &str, expected: &'static str) -> Result<Self, CompletionError> {
        self.get(key).ok_or_else(|| self.missing(key, expected))
    }

    /// Creates the error for a key that is missing or `null`.
    pub fn missing(&self, key: &str, expected: &'static str) -> CompletionError {
        CompletionError::Malformed {
            path: self.path_of(key),
            expected,
            found: self.value.get(key).map_or("nothing", |_| "null"),
        }
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// Iterates over the items of a list. Returns an error for any other type.
    pub fn items(&self) -> Result<impl Iterator<Item = Self>, CompletionError> {
        if self.value.kind() != Kind::Array {
            return Err(self.malformed("a list"));
        }
        let path = self.path.clone();
        let items = self.value.items().enumerate();
        Ok(items.map(move |(index, value)| Self {
            value,
            path: format!("{path}[{index}]"),
        }))
    }

    /// Returns this value if it is an object. Returns an error for any other type.
    pub fn object(self) -> Result<Self, CompletionError> {
        match self.value.kind() {
            Kind::Object => Ok(self),
            _ => Err(self.malformed("an object")),
        }
    }

    /// Returns the unescaped string. Returns an error for any other type.
    pub fn string(&self) -> Result<String, CompletionError> {
        let string = self.value.string();
        string.ok_or_else(|| self.malformed("a string of Unicode text"))
    }

    /// Returns the string under a key.
    pub fn text(&self, key: &str) -> Result<String, CompletionError> {
        self.need(key, "a string of Unicode text")?.string()
    }

    /// Returns the string under a key, or an empty string if the key is missing.
    pub fn text_or_empty(&self, key: &str) -> Result<String, CompletionError> {
        self.get(key)
            .map_or_else(|| Ok(String::new()), |part| part.string())
    }

    /// Returns the arguments under a key, as JSON text. Some servers omit the arguments of a tool that takes none, or send an
    /// empty string, and some send an object where OpenAI sends a string.
    pub fn arguments(&self, key: &str) -> Result<String, CompletionError> {
        let Some(arguments) = self.get(key) else {
            return Ok("{}".to_owned());
        };
        let text = match arguments.value.kind() {
            Kind::String => arguments.string()?,
            _ => arguments.value.text().to_owned(),
        };
        let is_empty = text.trim().is_empty();
        Ok(if is_empty { "{}".to_owned() } else { text })
    }

    /// Creates the error for a value of the wrong type.
    pub fn malformed(&self, expected: &'static str) -> CompletionError {
        CompletionError::Malformed {
            path: self.path.clone(),
            expected,
            found: match self.value.kind() {
                Kind::Null => "null",
                Kind::Boolean => "a boolean",
                Kind::Number => "a number",
                Kind::String => "a string",
                Kind::Array if self.value.items().next().is_none() => "an empty list",
                Kind::Array => "a list",
                Kind::Object => "an object",
            },
        }
    }
}
