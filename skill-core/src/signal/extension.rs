//! Extension attributes of signals.

use serde_json::Value;
use skill_agent_schema::shorten_name;

/// The attributes that CloudEvents 1.0 defines.
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

/// Why a name or a value cannot be an extension attribute of a signal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` cannot be an extension of a signal: {}", shorten_name(.name), .fault.explained())]
#[non_exhaustive]
pub struct ExtensionError {
    /// The name.
    pub name: String,
    /// The reason.
    pub fault: ExtensionFault,
}

/// The mistakes in an extension attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExtensionFault {
    /// The name is empty or has characters other than `a-z` and `0-9`.
    Spelling,
    /// CloudEvents has an attribute of this name.
    Taken,
    /// The value is neither a text, nor a boolean, nor a whole number of 32 bits.
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

/// A name consists of one or more of `a-z` and `0-9`, and is not an attribute of CloudEvents.
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

/// A value has a type of CloudEvents, which has no lists, objects and fractions, and only integers of 32 bits.
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
