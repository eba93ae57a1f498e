//! Lenient reading: arguments and answers of a model whose meaning is clear, although their JSON is not what the schema demands.

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

use super::raw::Raw;
use finder::Finder;
use place::Place;

/// The most repairs of one text.
pub const MOST_REPAIRS: usize = 1_000;

/// JSON text that was repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// The text. Everything that was not repaired is as it was written.
    pub text: String,
    /// The repairs, at least one.
    pub repairs: Vec<Repair>,
}

/// A change of a lenient reading.
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
    /// The path of the value, as in errors: `steps[3].name`, or empty for all of the text.
    pub path: String,
    /// The kind of the repair.
    pub change: Change,
}

/// A kind of mistake that a lenient reading repairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// A list or an object was written as JSON text.
    Json,
    /// A number was written as text.
    Number,
    /// A boolean was written as text.
    Boolean,
    /// A property was `null` that may be left out and must not be `null`.
    Null,
    /// Control characters within a text were not escaped.
    ControlCharacters,
    /// A comma was behind the last item of a list or an object.
    TrailingComma,
    /// The text was within a fence of Markdown.
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

/// Repairs the arguments of a call that were refused. `None` if there is nothing to repair.
///
/// A list or an object as JSON text, a number or a boolean as text, `null` for what may be left out, control characters in texts, trailing
/// commas, and a fence around everything are repaired. A text stays a text where the schema of the tool allows one, and in each choice of
/// several types. The repaired text may still be wrong; show the error of the original then.
///
/// Call it after an error only. Arguments that fit are repaired in nothing, but reading them twice takes time.
#[must_use]
pub fn repair_arguments(tool: &Tool<'_>, arguments: &str) -> Option<Repaired> {
    repair(tool.input_schema(), arguments)
}

/// Repairs JSON text by a schema. `None` if there is nothing to repair, or too much.
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

/// Removes the `null`s that a schema does not allow from properties that may be left out, which strict mode sends for omitted arguments.
/// Text that is not JSON is kept, and so is one that is too large for arguments or takes too much work.
pub fn without_nulls<'a>(schema: &Value, arguments: &'a str) -> Cow<'a, str> {
    if arguments.len() > MAX_ARGUMENT_BYTES || !arguments.contains("null") {
        return Cow::Borrowed(arguments);
    }
    let raw = Raw::parse(arguments).ok();
    let cut = raw.and_then(|raw| Finder::of_nulls().cut(schema, raw));
    cut.map_or(Cow::Borrowed(arguments), Cow::Owned)
}
