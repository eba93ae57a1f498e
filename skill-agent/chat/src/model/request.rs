//! A request to a model.

use super::ModelError;
use crate::{ChatError, Message, MessagePart};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skill_agent_toolbox::ToolError;
use skill_core::ToolBuf;
use std::sync::Arc;

/// A request to a model: the conversation so far, and the tools.
///
/// Clones share the long parts.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ChatRequest {
    /// The system text in parts. It is the same in all requests of a conversation, so that providers can serve it from a cache.
    pub system: Arc<[SystemPart]>,
    /// The conversation. A message of role [`Tool`](crate::Role::Tool) follows each one with calls.
    pub messages: Arc<Vec<Message>>,
    /// The tools with neutral schemas, which the model projects by its [`Provider`](skill_agent_models::Provider).
    pub tools: Arc<[ToolBuf]>,
    /// Whether the model has to call a tool.
    pub tool_choice: ToolChoice,
    /// Whether the model may call several tools in one completion; `None` is the default of the provider.
    pub parallel_calls: Option<bool>,
    /// The schema of the answer, in the dialect of the model's provider.
    pub output_schema: Option<Value>,
    /// Other settings.
    pub options: RequestOptions,
}

impl ChatRequest {
    /// A request without tools.
    pub fn new(messages: Vec<Message>) -> Self {
        Self {
            messages: Arc::new(messages),
            ..Self::default()
        }
    }

    /// The mistake in [`tool_choice`](Self::tool_choice), if it demands a call that cannot be made.
    #[doc(hidden)]
    pub fn check_tool_choice(&self) -> Result<(), ModelError> {
        let mut names = self.tools.iter().map(|tool| tool.name.as_str());
        let problem = match &self.tool_choice {
            ToolChoice::Tool(name) if !names.any(|listed| listed == name) => {
                let names = self.tools.iter().map(|tool| tool.name.as_str());
                let unknown = ToolError::unknown(name, names);
                match choice_of_word(name) {
                    Some(choice) => format!("{unknown}; write `{choice}`"),
                    None => unknown.to_string(),
                }
            }
            ToolChoice::Required if self.tools.is_empty() => "there are no tools".to_owned(),
            _ => return Ok(()),
        };
        let message = format!("its `tool_choice` demands a call, but {problem}");
        Err(ModelError::Request(message))
    }

    /// An estimate of the tokens of messages, system text and tools.
    pub(crate) fn tokens(&self) -> usize {
        let tools = self.tools.iter().map(|tool| {
            let schema = tool.input_schema.to_string();
            tool.name.len() + tool.description.len() + schema.len()
        });
        let system = self.system.iter().map(|part| part.text.len());
        let parts = self.messages.iter().flat_map(|message| &message.parts);
        let messages = parts.map(MessagePart::tokens).sum::<usize>();
        messages + (system.sum::<usize>() + tools.sum::<usize>()).div_ceil(4)
    }

    /// The system text, with an empty line between its parts.
    #[must_use]
    pub fn system_text(&self) -> String {
        system_text(&self.system)
    }
}

/// The choice that providers write as a word, which is no name of a tool.
fn choice_of_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "auto" => "ToolChoice::Auto",
        "required" | "any" => "ToolChoice::Required",
        "none" => "ToolChoice::None",
        _ => return None,
    })
}

/// The parts of a system text in one.
pub(crate) fn system_text(parts: &[SystemPart]) -> String {
    let texts = parts.iter().map(|part| part.text.as_str());
    texts.collect::<Vec<_>>().join("\n\n")
}

/// A part of the system text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SystemPart {
    /// Where the text comes from: `program`, or the name of a skill.
    pub origin: String,
    /// The text.
    pub text: String,
}

impl SystemPart {
    /// A text and its origin.
    pub fn new(origin: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            origin: origin.into(),
            text: text.into(),
        }
    }
}

/// Whether a model has to call a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// It decides.
    #[default]
    Auto,
    /// It has to call a tool.
    Required,
    /// It is asked to call no tool. Calls that come all the same are run.
    None,
    /// It has to call this tool.
    Tool(String),
}

/// The tool with this name.
impl From<String> for ToolChoice {
    fn from(name: String) -> Self {
        Self::Tool(name)
    }
}

/// The tool with this name.
impl From<&str> for ToolChoice {
    fn from(name: &str) -> Self {
        Self::Tool(name.to_owned())
    }
}

/// Settings of a request; what is `None` is the default of the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RequestOptions {
    /// The sampling temperature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The most tokens of the completion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Further fields of the request's body, in the provider's words. They replace fields of the same name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl RequestOptions {
    /// The defaults of the model.
    pub fn new() -> Self {
        Self::default()
    }

    /// The options with a temperature.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// The options with the most tokens of a completion.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// The options with a further field of the request's body.
    #[must_use]
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(name.into(), value.into());
        self
    }

    /// Refuses numbers that no provider can read.
    pub(crate) fn check(&self) -> Result<(), ChatError> {
        let problem = match (self.temperature, self.max_tokens) {
            (Some(temperature), _) if !temperature.is_finite() => format!(
                "`RequestOptions::temperature` is {temperature}, which is no number of JSON; write one like 0.2"
            ),
            (_, Some(0)) => "`RequestOptions::max_tokens` is 0, so that the model could write nothing; leave it out for the default of the model".to_owned(),
            _ => return Ok(()),
        };
        Err(ChatError::Setting(problem))
    }
}
