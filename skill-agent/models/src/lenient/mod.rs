//! Lenient reading of a model's arguments and answers. Repairs JSON that does not match the schema but whose meaning is clear.

mod finder;
mod number;
mod place;
mod schemas;
mod syntax;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use skill_core::serde_json::Value;
use skill_core::{MAX_ARGUMENT_BYTES, Tool};

use crate::completion::raw::Raw;
use finder::Finder;
use place::Place;

/// The maximum number of repairs to one text.
pub const MOST_REPAIRS: usize = 1_000;

/// A repaired JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// The text, unchanged outside the repairs.
    pub text: String,
    /// The repairs, a list that is never empty.
    pub repairs: Vec<Repair>,
}

/// A repair made by lenient reading.
///
/// ```
/// use skill_agent::models::{Change, repair_arguments};
/// use skill_agent::ToolBuf;
/// use serde_json::json;
///
/// let tool = ToolBuf::new("plan", "Plan a day.", json!({
///     "type": "object",
///     "properties": { "steps": { "type": "array", "items": { "type": "string" } }, "hours": { "type": "integer" } },
/// }));
/// let sent = r#"{"steps": "[\"shop\", \"cook\"]", "hours": "3"}"#;
/// let repaired = repair_arguments(&tool.as_tool(), sent).unwrap();
/// assert_eq!(repaired.text, r#"{"steps": ["shop", "cook"], "hours": 3}"#);
/// assert_eq!(repaired.repairs[0].change, Change::Json);
/// assert_eq!(repaired.repairs[1].to_string(), "`hours`: a number was written as text");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The path of the value, written as in errors, such as `steps[3].name`, and empty for the entire text.
    pub path: String,
    /// The kind of mistake that was repaired.
    pub change: Change,
}

/// A kind of mistake in JSON text or in its values that lenient reading repairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// A list or an object was written as JSON text in a string.
    Json,
    /// A number was written as a string.
    Number,
    /// A boolean was written as a string.
    Boolean,
    /// An optional property was `null`, which its schema does not allow.
    Null,
    /// Control characters in a string were not escaped.
    ControlCharacters,
    /// A comma followed the last item of a list or an object.
    TrailingComma,
    /// The text was in a Markdown code fence.
    Fence,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.path {
            "" => f.write_str("at the top level: ")?,
            path => write!(f, "`{path}`: ")?,
        }
        f.write_str(match self.change {
            Change::Json => "a list or an object was written as JSON text",
            Change::Number => "a number was written as text",
            Change::Boolean => "a boolean was written as text",
            Change::Null => "it may be left out, and was null",
            Change::ControlCharacters => "control characters in a text were not escaped",
            Change::TrailingComma => "there was a trailing comma",
            Change::Fence => "the JSON was within a fence",
        })
    }
}

/// Repairs the invalid arguments of a call. Returns `None` if there is nothing to repair.
///
/// Repairs a list, object, number or boolean that is in a string, `null` for an optional property, unescaped control characters,
/// trailing commas, and a code fence around the entire text. A string stays a string if the tool's schema allows a string there,
/// or a choice of several types. If the repaired text is still invalid, report the error for the original text.
///
/// Call this only after an error. It never changes valid arguments, but parsing them twice takes time.
#[must_use]
pub fn repair_arguments(tool: &Tool<'_>, arguments: &str) -> Option<Repaired> {
    repair(tool.input_schema(), arguments)
}

/// Repairs JSON text according to a schema. Returns `None` if there is nothing to repair, or if there is too much to repair.
pub fn repair(schema: &Value, text: &str) -> Option<Repaired> {
    if text.len() > MAX_ARGUMENT_BYTES {
        return None;
    }
    let mut repairs = Vec::new();
    let text = match Raw::parse(text) {
        Ok(_) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(syntax::repaired(text, &Place::Root, &mut repairs)?),
    };
    let raw = Raw::parse(&text).ok()?;
    let (text, repairs) = Finder::of_repairs(repairs).repaired(schema, raw)?;
    (!repairs.is_empty()).then_some(Repaired { text, repairs })
}

/// Removes `null` from optional properties whose schemas do not allow it, because in strict mode, models send `null` for omitted
/// arguments. Returns the text unchanged if it is not JSON, is too large for arguments, or would take too much work.
pub fn without_nulls<'a>(schema: &Value, arguments: &'a str) -> Cow<'a, str> {
    if arguments.len() > MAX_ARGUMENT_BYTES || !arguments.contains("null") {
        return Cow::Borrowed(arguments);
    }
    let raw = Raw::parse(arguments).ok();
    let cut = raw.and_then(|raw| Finder::of_nulls().cut(schema, raw));
    cut.map_or(Cow::Borrowed(arguments), Cow::Owned)
}
