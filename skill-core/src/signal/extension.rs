//! Extension attributes of signals.

use serde_json::Value;
use skill_agent_schema::shorten_name;

/// The attributes defined by CloudEvents 1.0.
const ATTRIBUTES: [&str; 9] = [
    "id",
    "source",
    "specversion",
    "type",
    "datacontenttype",
    "dataschema",
    "subject",
    "time",
    "data",
];

/// Explains why a name or a value cannot be an extension attribute of a signal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` cannot be an extension of a signal: {}", shorten_name(.name), .fault.explained())]
#[non_exhaustive]
pub struct ExtensionError {
    /// The attribute's name.
    pub name: String,
    /// The kind of mistake.
    pub fault: ExtensionFault,
}

/// The mistakes in an extension attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExtensionFault {
    /// The name is empty or has characters other than `a-z` and `0-9`.
    Spelling,
    /// CloudEvents defines an attribute with this name.
    Taken,
    /// The value is not a string, a boolean, or a 32-bit integer.
    Value,
}

impl ExtensionFault {
    fn explained(self) -> &'static str {
        match self {
            Self::Spelling => "a name has `a-z` and `0-9` only",
            Self::Taken => "CloudEvents has an attribute of that name",
            Self::Value => {
                "a value is a text, `true` or `false`, or a whole number of 32 bits; write others as a text, or into the data"
            }
        }
    }
}

/// Checks that a name consists of one or more of `a-z` and `0-9`, and is not a CloudEvents attribute.
pub(super) fn check_name(name: &str) -> Result<(), ExtensionError> {
    let spelled = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let fault = if name.is_empty() || !name.bytes().all(spelled) {
        ExtensionFault::Spelling
    } else if ATTRIBUTES.contains(&name) {
        ExtensionFault::Taken
    } else {
        return Ok(());
    };
    Err(error(name, fault))
}

/// Checks that a value has a CloudEvents type: there are no lists, objects or fractions, and integers have 32 bits.
pub(super) fn check_value(name: &str, value: &Value) -> Result<(), ExtensionError> {
    let fits = match value {
        Value::String(_) | Value::Bool(_) => true,
        Value::Number(number) => number
            .as_i64()
            .is_some_and(|whole| i32::try_from(whole).is_ok()),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    };
    if fits {
        Ok(())
    } else {
        Err(error(name, ExtensionFault::Value))
    }
}

fn error(name: &str, fault: ExtensionFault) -> ExtensionError {
    ExtensionError {
        name: name.to_owned(),
        fault,
    }
}
