//! Executes the tool calls of a chat completion on the agent, and writes the messages to send back.
//!
//! An error of one call is reported to the model in the result of that call, and the other calls still
//! run: a provider refuses a conversation in which a call has no result.

use crate::Workbench;
use serde_json::Value;
use skill_agent::Agent;
use skill_agent::models::openai::chat;
use skill_agent::models::{CompletionError, Finish, ToolCall, ToolResult, anthropic};

/// The provider's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// OpenAI's chat completions, also used by many other servers.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

impl Format {
    /// Returns the format of a completion, or of only the message of one.
    fn of(text: &str) -> Self {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let has = |key| value.get(key).is_some();
        if has("content") && !has("choices") && !has("tool_calls") {
            Self::Anthropic
        } else {
            Self::OpenAi
        }
    }

    /// Returns the messages with the results, to be appended to the conversation.
    pub fn messages(self, results: &[ToolResult]) -> Vec<String> {
        match self {
            Self::OpenAi => chat::results(results),
            Self::Anthropic => anthropic::results(results),
        }
    }
}

/// The tool calls of a chat completion.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCalls {
    /// The provider's format.
    pub format: Format,
    /// The calls in the order of execution; at least one.
    pub calls: Vec<ToolCall>,
}

/// The reason why a text is not a completion with tool calls.
#[derive(Debug, thiserror::Error)]
pub enum ToolCallsError {
    /// The text is not a completion.
    #[error("{0}")]
    Completion(#[from] CompletionError),
    /// The model called no tool.
    #[error("the completion has no tool calls")]
    NoToolCalls,
    /// The completion ends at a limit of tokens.
    #[error("the completion reached a limit of tokens, and its calls may be cut off")]
    CutOff,
}

impl ToolCalls {
    /// Reads a completion of either provider, or only the assistant's message of one.
    ///
    /// # Errors
    ///
    /// If there is no call to answer; see [`ToolCallsError`].
    pub fn read(text: &str) -> Result<Self, ToolCallsError> {
        let format = Format::of(text);
        let completion = match format {
            Format::OpenAi => chat::read(text)?,
            Format::Anthropic => anthropic::read(text)?,
        };
        let calls: Vec<ToolCall> = completion.calls().cloned().collect();
        if calls.is_empty() {
            return Err(ToolCallsError::NoToolCalls);
        }
        if completion.finish == Finish::Truncated {
            return Err(ToolCallsError::CutOff);
        }
        Ok(Self { format, calls })
    }

    /// Executes the calls in order on the same agent.
    pub fn execute(&self, agent: &mut Workbench) -> Vec<ToolResult> {
        let result = |call: &ToolCall| {
            let called = agent.call_json(&call.name, &call.arguments);
            call.result(called.map(|called| called.output))
        };
        self.calls.iter().map(result).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        ToolCalls::read(text).unwrap_err().to_string()
    }

    #[test]
    fn the_format_is_recognized() {
        let message = r#"{"role":"assistant","content":null,"tool_calls":[
            {"id":"1","type":"function","function":{"name":"pwd","arguments":"{}"}}]}"#;
        let response = format!(r#"{{"choices":[{{"index":0,"message":{message}}}]}}"#);
        let blocks = r#"{"role":"assistant","content":[{"type":"text","text":"Let me see."},
            {"type":"tool_use","id":"1","name":"pwd","input":{}}]}"#;
        for (text, format) in [
            (message, Format::OpenAi),
            (&response, Format::OpenAi),
            (blocks, Format::Anthropic),
        ] {
            let read = ToolCalls::read(text).unwrap();
            assert_eq!((read.format, read.calls.len()), (format, 1), "{text}");
            assert_eq!(read.calls[0].name, "pwd");
        }
    }

    #[test]
    fn text_without_tool_calls_is_refused() {
        assert!(refused("{").starts_with("not JSON"));
        assert_eq!(refused("[]"), "expected a completion, found an empty list");
        for text in [r#"{"content":"Hello!"}"#, r#"{"content":[]}"#] {
            assert!(refused(text).contains("no tool calls"));
        }
        assert!(refused(r#"{"error":{"message":"quota"}}"#).contains("quota"));
        assert_eq!(
            refused(r#"{"choices":[{"message":{"tool_calls":[{"id":7,"function":{}}]}}]}"#),
            "`choices[0].message.tool_calls[0].id`: expected a string of Unicode text, found a number"
        );
    }

    #[test]
    fn calls_that_may_be_cut_off_do_not_run() {
        for text in [
            r#"{"choices":[{"finish_reason":"length","message":{"tool_calls":[
                {"id":"1","function":{"name":"pwd","arguments":"{"}}]}}]}"#,
            r#"{"stop_reason":"max_tokens","content":[{"type":"tool_use","id":"1","name":"pwd","input":{}}]}"#,
        ] {
            assert_eq!(
                refused(text),
                "the completion reached a limit of tokens, and its calls may be cut off"
            );
        }
    }

    #[test]
    fn a_failed_call_has_a_result_and_the_others_run() {
        let calls = [
            ("a", "mkdir", r#"{"dir_name":"#),
            ("b", "mkdirs", "{}"),
            ("c", "mkdir", r#"{"dir_name":"notes"}"#),
            ("d", "mkdir", r#"{"dir_name":"notes"}"#),
        ];
        let calls = calls.map(|(id, name, arguments)| ToolCall::new(name, arguments).with_id(id));
        let calls = ToolCalls {
            format: Format::Anthropic,
            calls: calls.into(),
        };
        let results = calls.execute(&mut Workbench::new());
        let failed: Vec<bool> = results.iter().map(|result| result.is_error).collect();
        assert_eq!(failed, [true, true, false, true]);
        assert_eq!(results[2].content, "null");
        assert_eq!(
            results[3].content,
            "mkdir: cannot create directory 'notes': File exists"
        );
        assert_eq!(Format::Anthropic.messages(&results).len(), 1);
        assert_eq!(Format::OpenAi.messages(&results).len(), 4);
    }
}
