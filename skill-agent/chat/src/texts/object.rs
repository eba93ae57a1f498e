//! The JSON of calls in text.

use serde::Deserializer as _;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde_json::Deserializer;
use skill_agent_models::__private::{Kind, Raw};
use skill_agent_models::ToolCall;
use skill_core::ToolBuf;
use std::fmt;

/// The result of reading text that may still grow.
#[derive(Debug)]
pub(super) enum Written {
    /// Only calls.
    Calls(Vec<ToolCall>),
    /// Only calls, once the last one gets its missing brace.
    Mended(Vec<ToolCall>),
    /// The text may become a call.
    Begun,
    /// The text is not a call, and cannot become one.
    Text,
}

/// Markers that chat templates put around and between tool calls.
const MARKS: [&str; 12] = [
    "<tool_call>",
    "</tool_call>",
    "<tools>",
    "</tools>",
    "<function_call>",
    "</function_call>",
    "<|python_tag|>",
    "[TOOL_CALLS]",
    "[",
    "]",
    ",",
    ";",
];

const FENCE: &str = "```";

/// Keys that a call may have.
const KEYS: [&str; 6] = ["name", "arguments", "parameters", "type", "id", "function"];

/// Reads text that consists of calls to listed tools, with or without markers and code fences around them.
pub(super) fn read(text: &str, tools: &[ToolBuf]) -> Written {
    let (mut calls, mut rest) = (Vec::new(), text);
    loop {
        match behind_marks(rest) {
            None => return Written::Begun,
            Some("") if calls.is_empty() => return Written::Begun,
            Some("") => return Written::Calls(calls),
            Some(object) => rest = object,
        }
        if !rest.starts_with('{') {
            return Written::Text;
        }
        let mut values = Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        let is_whole = matches!(values.next(), Some(Ok(_)));
        if !is_whole {
            if let Some(call) = mended(rest, tools) {
                calls.push(call);
                return Written::Mended(calls);
            }
            return if may_become_call(rest, tools) {
                Written::Begun
            } else {
                Written::Text
            };
        }
        let (object, behind) = rest.split_at(values.byte_offset());
        let Some(call) = call(object, tools) else {
            return Written::Text;
        };
        calls.push(call);
        rest = behind;
    }
}

/// Skips whitespace and markers. Returns `None` if the text ends within a marker.
fn behind_marks(mut text: &str) -> Option<&str> {
    loop {
        text = text.trim_start();
        let is_begun = |mark: &str| mark.len() > text.len() && mark.starts_with(text);
        if !text.is_empty() && MARKS.iter().chain([&FENCE]).any(|mark| is_begun(mark)) {
            return None;
        }
        if let Some(behind) = text.strip_prefix(FENCE) {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            text = behind.trim_start_matches(is_word);
        } else if let Some(behind) = MARKS.iter().find_map(|mark| text.strip_prefix(mark)) {
            text = behind;
        } else {
            return Some(text);
        }
    }
}

/// Reads an object as a call to a listed tool.
fn call(object: &str, tools: &[ToolBuf]) -> Option<ToolCall> {
    let object = Raw::parse(object).ok()?;
    let function = object.get("function");
    let function = function.filter(|function| function.kind() == Kind::Object);
    let object = function.unwrap_or(object);
    let is_known = object
        .entries()
        .all(|entry| KEYS.contains(&entry.key.as_str()));
    let name = object.get("name").and_then(Raw::string)?;
    if !is_known || !tools.iter().any(|tool| tool.name == name) {
        return None;
    }
    let arguments = object.get("arguments").or(object.get("parameters"))?;
    let arguments = match arguments.kind() {
        Kind::Object => arguments.text().to_owned(),
        _ => arguments.string().filter(|text| is_object(text))?,
    };
    Some(ToolCall::new(name, arguments))
}

fn is_object(text: &str) -> bool {
    Raw::parse(text).is_ok_and(|raw| raw.kind() == Kind::Object)
}

/// Reads a call whose last brace is missing, because small models stop one token too early.
fn mended(text: &str, tools: &[ToolBuf]) -> Option<ToolCall> {
    let (object, behind) = text.split_at(text.rfind('}')? + 1);
    let is_end = behind_marks(behind).is_none_or(str::is_empty);
    if !is_end {
        return None;
    }
    call(&format!("{object}}}"), tools)
}

/// Returns whether all keys of an incomplete object so far are keys of a call, and its name so far may be a tool's.
fn may_become_call(text: &str, tools: &[ToolBuf]) -> bool {
    // serde_json reports a number that ends in `.` or `e` as malformed, not as incomplete
    let text = text.trim_end_matches(|c: char| c.is_ascii_digit() || "+-.eE".contains(c));
    let begun = Deserializer::from_str(text).deserialize_map(Begun { tools });
    begun.is_err_and(|error| error.is_eof())
}

struct Begun<'a> {
    tools: &'a [ToolBuf],
}

impl<'de> Visitor<'de> for Begun<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a call")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        while let Some(key) = entries.next_key::<String>()? {
            let is_call = match key.as_str() {
                "name" => {
                    let name = entries.next_value::<String>()?;
                    self.tools.iter().any(|tool| tool.name == name)
                }
                key => {
                    entries.next_value::<IgnoredAny>()?;
                    KEYS.contains(&key)
                }
            };
            if !is_call {
                return Err(A::Error::custom("another object"));
            }
        }
        Ok(())
    }
}
