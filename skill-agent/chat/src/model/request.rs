//! Requests to a model.

use super::deferred::revealed;
use super::{AnswerForm, AskedAnswer, Deferral, DeferredTools, ModelError, ModelProfile};
use crate::{ChatError, Message, MessagePart};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skill_agent_toolbox::ToolError;
use skill_core::ToolBuf;
use std::sync::Arc;

/// A request to a model: the conversation so far, and the tools.
///
/// Cloning is cheap: clones share the long parts.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ChatRequest {
    /// Parts of the system text. They are the same in all requests of a conversation, so that providers can cache them.
    pub system: Arc<[SystemPart]>,
    /// The conversation. Each message with calls is followed by a message of role [`Tool`](crate::Role::Tool).
    pub messages: Arc<Vec<Message>>,
    /// The tools, with neutral schemas. The model converts the schemas for its [`Provider`](skill_agent_models::Provider).
    pub tools: Arc<[ToolBuf]>,
    /// Tools that the model reads where a message loads them. Empty for a model that does not
    /// [read tools in messages](ModelProfile::tools_in_messages).
    pub deferred: Arc<[DeferredTools]>,
    /// Whether the model must call a tool.
    pub tool_choice: ToolChoice,
    /// Whether the model may call several tools in one completion. `None` selects the provider's default.
    pub parallel_calls: Option<bool>,
    /// The schema of the answer, in the provider's dialect.
    pub output_schema: Option<Value>,
    /// The temperature, the token limit and other fields of the request.
    pub options: RequestOptions,
    /// The typed answer, until its form is chosen for a model.
    pub(crate) answer: Option<Arc<AskedAnswer>>,
    /// The deferred tools, until their form is chosen for a model.
    pub(crate) deferral: Option<Arc<Deferral>>,
}

impl ChatRequest {
    /// Creates a request without tools.
    pub fn new(messages: Vec<Message>) -> Self {
        Self {
            messages: Arc::new(messages),
            ..Self::default()
        }
    }

    /// Adapts the request to its model: the forms of a typed answer and of deferred tools, and whether calls may be parallel. A request
    /// to a chain stays unchanged until the chain asks one of its models.
    pub(crate) fn for_model(mut self, model: &ModelProfile) -> Self {
        if model.chain().is_some() {
            return self;
        }
        if !model.parallel_calls || !model.provider.parallel_calls() {
            self.parallel_calls = Some(false);
        }
        if let Some(deferral) = self.deferral.take().filter(|_| model.tools_in_messages) {
            (self.tools, self.deferred) = deferral.in_messages(&self.tools, &self.messages);
        }
        let Some(answer) = self.answer.take() else {
            return self;
        };
        match model.answer_form {
            AnswerForm::Schema => self.output_schema = answer.schema(model),
            AnswerForm::Tool => {
                self.tools = answer.tools(&self.tools);
                if self.tool_choice == ToolChoice::Auto {
                    self.tool_choice = ToolChoice::Required;
                }
            }
            AnswerForm::Prompt => {}
        }
        self
    }

    /// Returns an error if [`tool_choice`](Self::tool_choice) requires a call that cannot be made.
    #[doc(hidden)]
    pub fn check_tool_choice(&self) -> Result<(), ModelError> {
        let revealed = revealed(&self.messages);
        let deferred = self.deferred.iter();
        let deferred = deferred.filter(|group| revealed.contains(&&*group.group));
        let deferred = deferred.flat_map(|group| &group.tools);
        let mut names = self
            .tools
            .iter()
            .chain(deferred)
            .map(|tool| tool.name.as_str());
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

    /// Estimates the number of tokens in messages, system text and tools.
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

    /// Returns the system text, with an empty line between its parts.
    #[must_use]
    pub fn system_text(&self) -> String {
        system_text(&self.system)
    }
}

/// Returns the Rust spelling of a choice that providers write as a word, such as `auto`. Without this check, the word would be
/// taken for a tool's name.
fn choice_of_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "auto" => "ToolChoice::Auto",
        "required" | "any" => "ToolChoice::Required",
        "none" => "ToolChoice::None",
        _ => return None,
    })
}

/// Joins the parts of a system text, with an empty line between them.
pub(crate) fn system_text(parts: &[SystemPart]) -> String {
    let texts = parts.iter().map(|part| part.text.as_str());
    texts.collect::<Vec<_>>().join("\n\n")
}

/// A part of the system text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SystemPart {
    /// The origin of the text: `program`, or a skill's name.
    pub origin: String,
    /// The text that the model reads.
    pub text: String,
}

impl SystemPart {
    /// Creates a part from its origin and text.
    pub fn new(origin: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            origin: origin.into(),
            text: text.into(),
        }
    }
}

/// Whether a model must call a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// The model must call a tool.
    Required,
    /// The model is asked not to call tools, but if it calls one anyway, the call runs.
    None,
    /// The model must call the tool with this name.
    Tool(String),
}

/// Requires a call to the tool with this name.
impl From<String> for ToolChoice {
    fn from(name: String) -> Self {
        Self::Tool(name)
    }
}

/// Requires a call to the tool with this name.
impl From<&str> for ToolChoice {
    fn from(name: &str) -> Self {
        Self::Tool(name.to_owned())
    }
}

/// Settings of a request. Each `None` selects the model's default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RequestOptions {
    /// Sampling temperature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The maximum number of tokens in the completion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Additional fields for the request body, under the provider's own names. An extra field replaces a request field with the
    /// same name. It is an error to replace a field that the chat sets, such as `messages`, `tools` or `model`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl RequestOptions {
    /// Creates options with the model's defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the sampling temperature.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// Sets the maximum number of tokens in the completion.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Adds a field to the request body.
    #[must_use]
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(name.into(), value.into());
        self
    }

    /// Returns these options. The options that `own` sets replace them.
    pub(crate) fn replaced_by(mut self, own: &Self) -> Self {
        self.temperature = own.temperature.or(self.temperature);
        self.max_tokens = own.max_tokens.or(self.max_tokens);
        self.extra.extend(own.extra.clone());
        self
    }

    /// Returns an error for numbers that no provider accepts.
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
