//! Reads chat completions, executes their tool calls and writes the answers.
//!
//! | format | tool call | answer |
//! | --- | --- | --- |
//! | OpenAI | an entry of `tool_calls`, arguments as JSON text | a message of role `tool` |
//! | Anthropic | a block `tool_use`, arguments as an object | a block `tool_result` of one user message |
//!
//! An error of one call is reported to the model in the answer to that call, and the other calls still
//! run: a provider refuses a conversation in which a call has no answer.

use crate::Workbench;
use serde_json::{Value, json};
use skill_agent::Agent;

/// The provider's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// OpenAI's chat completions, also used by many other servers.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// The tool calls of a chat completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// The provider's format.
    pub format: Format,
    /// The calls in the order of execution; at least one.
    pub calls: Vec<ToolCall>,
}

/// One tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The id, which the answer repeats.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments as JSON text, which may be malformed.
    pub arguments: String,
}

/// The answer to a tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolAnswer {
    /// The id of the call.
    pub id: String,
    /// The output as JSON text, or an object with the key `error`.
    pub content: String,
    /// Whether the call failed.
    pub is_error: bool,
}

/// The reason why a text is not a completion with tool calls.
#[derive(Debug, thiserror::Error)]
pub enum CompletionError {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The JSON is not a completion.
    #[error(
        "not a chat completion: there is no `choices`, no `tool_calls` and no list of `content` blocks"
    )]
    NotACompletion,
    /// The provider answered with an error.
    #[error("the provider answered with an error: {message}")]
    Provider {
        /// The message of the provider.
        message: String,
    },
    /// The model called no tool.
    #[error("the completion has no tool calls")]
    NoToolCalls,
    /// A part is missing or has the wrong type.
    #[error("{path}: expected {expected}, found {found}")]
    Malformed {
        /// The path of the part.
        path: String,
        /// The expected kind of value.
        expected: &'static str,
        /// The kind of value found.
        found: &'static str,
    },
}

impl Completion {
    /// Reads a response of either provider, or only the assistant's message of one.
    ///
    /// # Errors
    ///
    /// If there is no call to answer; see [`CompletionError`].
    pub fn parse(text: &str) -> Result<Self, CompletionError> {
        let value: Value = serde_json::from_str(text)?;
        let (format, calls) = if let Some(error) =
            value.get("error").filter(|error| !error.is_null())
        {
            let message = error.get("message").unwrap_or(error);
            let message = message
                .as_str()
                .map_or_else(|| message.to_string(), str::to_owned);
            return Err(CompletionError::Provider { message });
        } else if value.get("choices").is_some() {
            (Format::OpenAi, open_ai_choices(&value)?)
        } else if value.get("tool_calls").is_some() {
            (Format::OpenAi, open_ai_calls(&value, "")?)
        } else {
            match value.get("content") {
                Some(Value::Array(blocks)) => (Format::Anthropic, anthropic_calls(blocks)?),
                Some(Value::String(_) | Value::Null) => return Err(CompletionError::NoToolCalls),
                _ => return Err(CompletionError::NotACompletion),
            }
        };
        if calls.is_empty() {
            return Err(CompletionError::NoToolCalls);
        }
        Ok(Self { format, calls })
    }

    /// Executes the calls in order on the same agent.
    pub fn execute(&self, agent: &mut Workbench) -> Vec<ToolAnswer> {
        let answer = |call: &ToolCall| match agent.call_json(&call.name, &call.arguments) {
            Ok(called) => ToolAnswer {
                id: call.id.clone(),
                content: called.output,
                is_error: false,
            },
            Err(error) => ToolAnswer {
                id: call.id.clone(),
                content: json!({ "error": error.to_string() }).to_string(),
                is_error: true,
            },
        };
        self.calls.iter().map(answer).collect()
    }
}

impl Format {
    /// Returns the messages with the answers, to be appended to the conversation.
    pub fn messages(self, answers: &[ToolAnswer]) -> Vec<Value> {
        match self {
            Self::OpenAi => answers.iter().map(tool_message).collect(),
            Self::Anthropic => {
                let blocks: Vec<Value> = answers.iter().map(tool_result).collect();
                vec![json!({ "role": "user", "content": blocks })]
            }
        }
    }
}

fn tool_message(answer: &ToolAnswer) -> Value {
    json!({ "role": "tool", "tool_call_id": answer.id, "content": answer.content })
}

fn tool_result(answer: &ToolAnswer) -> Value {
    let mut block = json!({
        "type": "tool_result",
        "tool_use_id": answer.id,
        "content": answer.content,
    });
    if answer.is_error {
        block["is_error"] = Value::Bool(true);
    }
    block
}

fn open_ai_choices(response: &Value) -> Result<Vec<ToolCall>, CompletionError> {
    let mut calls = Vec::new();
    for (i, choice) in list(response, "", "choices")?.iter().enumerate() {
        let path = format!("choices[{i}].message");
        let Some(message) = choice.get("message") else {
            return Err(malformed(path, "a message", None));
        };
        calls.extend(open_ai_calls(message, &format!("{path}."))?);
    }
    Ok(calls)
}

fn open_ai_calls(message: &Value, prefix: &str) -> Result<Vec<ToolCall>, CompletionError> {
    if message.get("tool_calls").is_none_or(Value::is_null) {
        return Ok(Vec::new());
    }
    let read = |(i, call): (usize, &Value)| {
        let path = format!("{prefix}tool_calls[{i}].");
        let Some(function) = call.get("function") else {
            return Err(malformed(format!("{path}function"), "an object", None));
        };
        let in_function = format!("{path}function.");
        Ok(ToolCall {
            id: text(call, &path, "id")?,
            name: text(function, &in_function, "name")?,
            arguments: arguments(function.get("arguments")),
        })
    };
    let calls = list(message, prefix, "tool_calls")?;
    calls.iter().enumerate().map(read).collect()
}

fn anthropic_calls(blocks: &[Value]) -> Result<Vec<ToolCall>, CompletionError> {
    let is_call = |(_, block): &(usize, &Value)| {
        block.get("type").and_then(Value::as_str) == Some("tool_use")
    };
    let read = |(i, block): (usize, &Value)| {
        let path = format!("content[{i}].");
        Ok(ToolCall {
            id: text(block, &path, "id")?,
            name: text(block, &path, "name")?,
            arguments: arguments(block.get("input")),
        })
    };
    blocks
        .iter()
        .enumerate()
        .filter(is_call)
        .map(read)
        .collect()
}

/// Returns the arguments as text. For a tool without arguments some servers leave them out or send an
/// empty string, and some send an object where OpenAI sends text.
fn arguments(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(Value::String(text)) if text.trim().is_empty() => "{}".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn text(value: &Value, path: &str, key: &str) -> Result<String, CompletionError> {
    match value.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        other => Err(malformed(format!("{path}{key}"), "a string", other)),
    }
}

fn list<'a>(value: &'a Value, path: &str, key: &str) -> Result<&'a [Value], CompletionError> {
    match value.get(key) {
        Some(Value::Array(values)) => Ok(values),
        other => Err(malformed(format!("{path}{key}"), "a list", other)),
    }
}

fn malformed(path: String, expected: &'static str, found: Option<&Value>) -> CompletionError {
    let found = match found {
        None => "nothing",
        Some(Value::Null) => "null",
        Some(Value::Bool(_)) => "a boolean",
        Some(Value::Number(_)) => "a number",
        Some(Value::String(_)) => "a string",
        Some(Value::Array(_)) => "a list",
        Some(Value::Object(_)) => "an object",
    };
    CompletionError::Malformed {
        path,
        expected,
        found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let completion = Completion::parse(text).unwrap();
        completion.calls.into_iter().map(|call| call.name).collect()
    }

    fn refused(text: &str) -> String {
        Completion::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn a_response_or_its_message_alone_is_read() {
        let message = r#"{"role":"assistant","content":null,"tool_calls":[
            {"id":"1","type":"function","function":{"name":"pwd","arguments":"{}"}},
            {"id":"2","type":"function","function":{"name":"ls","arguments":""}}]}"#;
        let response = format!(r#"{{"choices":[{{"index":0,"message":{message}}}]}}"#);
        assert_eq!(names(message), ["pwd", "ls"]);
        assert_eq!(names(&response), ["pwd", "ls"]);

        let message = r#"{"role":"assistant","content":[{"type":"text","text":"Let me see."},
            {"type":"tool_use","id":"1","name":"pwd","input":{}}]}"#;
        assert_eq!(names(message), ["pwd"]);
    }

    #[test]
    fn text_that_is_not_a_completion_is_refused_with_its_path() {
        assert!(refused("{").starts_with("not JSON"));
        assert!(refused("[]").starts_with("not a chat completion"));
        assert!(refused(r#"{"content":"Hello!"}"#).contains("no tool calls"));
        assert!(refused(r#"{"choices":[]}"#).contains("no tool calls"));
        assert!(refused(r#"{"error":{"message":"quota"}}"#).contains("quota"));
        assert_eq!(
            refused(r#"{"choices":[{"message":{"tool_calls":[{"id":7,"function":{}}]}}]}"#),
            "choices[0].message.tool_calls[0].id: expected a string, found a number"
        );
        assert_eq!(
            refused(r#"{"content":[{"type":"tool_use","id":"1"}]}"#),
            "content[0].name: expected a string, found nothing"
        );
    }

    #[test]
    fn a_failed_call_is_answered_and_the_others_run() {
        let completion = Completion {
            format: Format::Anthropic,
            calls: [
                ("a", "mkdir", r#"{"dir_name":"#),
                ("b", "mkdirs", "{}"),
                ("c", "mkdir", r#"{"dir_name":"notes"}"#),
                ("d", "mkdir", r#"{"dir_name":"notes"}"#),
            ]
            .map(|(id, name, arguments)| ToolCall {
                id: id.to_owned(),
                name: name.to_owned(),
                arguments: arguments.to_owned(),
            })
            .into(),
        };
        let answers = completion.execute(&mut Workbench::new());
        let failed: Vec<bool> = answers.iter().map(|answer| answer.is_error).collect();
        assert_eq!(failed, [true, true, false, true]);
        assert_eq!(answers[2].content, "null");
        assert_eq!(
            answers[3].content,
            r#"{"error":"mkdir: cannot create directory 'notes': File exists"}"#
        );

        let messages = Format::Anthropic.messages(&answers);
        assert_eq!(messages.len(), 1);
        assert_eq!(messages[0]["content"][1]["is_error"], true);
        assert_eq!(messages[0]["content"][2].get("is_error"), None);
        assert_eq!(Format::OpenAi.messages(&answers)[2]["tool_call_id"], "c");
    }
}
