//! OpenAI's Chat Completions API.

mod assembly;
mod body;
mod calls;
mod constrained;

use futures_core::stream::BoxStream;
use serde_json::json;

use super::format::completion::{events, message_part};
use super::format::{Format, object};
use super::settings::{Settings, settings};
use crate::failure::clues::Api;
use crate::format::usage;
use crate::http::endpoint::Route;
use crate::http::{base_url, exchange};
use skill_agent_chat::{
    ChatModel, ChatRequest, KeptItem, MessagePart, ModelError, ModelEvent, ModelProfile,
};
use skill_agent_models::__private::{Kind, Raw};
use skill_agent_models::{CompletionError, Content, Part, Provider, openai};

/// The name of this format in a [`KeptItem`]. The item of a call is the call's JSON, and other items are objects with fields of
/// the message.
const FORMAT: &str = "openai_chat";
const BASE_URL: &str = "https://api.openai.com/v1";

/// A model behind OpenAI's Chat Completions API, which many other servers offer too.
///
/// | server | base URL |
/// | --- | --- |
/// | OpenAI | the default |
/// | OpenRouter | `https://openrouter.ai/api/v1` |
/// | vLLM | `http://localhost:8000/v1` |
/// | llama.cpp | `http://localhost:8080/v1` |
/// | Ollama | `http://localhost:11434/v1` |
///
/// A [`base_url`](Self::base_url) that does not belong to a large provider selects [`Provider::OPENAI_COMPATIBLE`] and turns on
/// [`think_tags`](ModelProfile::think_tags) and [`text_calls`](ModelProfile::text_calls), because local servers lack parsers for
/// many models. [`with_profile`](Self::with_profile) takes precedence.
///
/// Reasoning in separate fields and the signatures of calls are sent back to the server that created them.
///
/// For small local models, set a profile with [`constrained_tools`](ModelProfile::constrained_tools). The tools then become one
/// schema that the server's decoder enforces, so the model can write nothing but a call or an answer. Each completion contains at
/// most one call, and nothing is shown before the completion ends. llama.cpp and vLLM enforce such a schema; OpenAI does not.
///
/// ```
/// use skill_agent::chat::{ChatModel, ModelProfile, OpenAi};
/// use skill_agent::models::Provider;
///
/// let model = OpenAi::new("the key", "gpt-5-mini");
/// assert_eq!(model.profile().provider, Provider::OPENAI_CHAT);
/// assert!(!format!("{model:?}").contains("the key"));
///
/// // a server that checks no key
/// let model = OpenAi::new("", "qwen3").base_url("http://localhost:8080/v1");
/// assert_eq!(model.profile().provider, Provider::OPENAI_COMPATIBLE);
/// assert!(model.profile().text_calls);
///
/// // tools in strict mode
/// let profile = ModelProfile::new(Provider::OPENAI_STRICT).with_context_window(32_768);
/// let model = OpenAi::new("", "qwen3").base_url("http://localhost:8000/v1").with_profile(profile);
/// ```
#[derive(Clone, Debug)]
pub struct OpenAi {
    settings: Settings,
}

impl OpenAi {
    /// Creates a model from its API key and name. If the server does not check keys, pass an empty key.
    pub fn new(key: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            settings: Settings::new(key.into(), model.into(), BASE_URL, profile_at),
        }
    }
}

/// Returns the default profile for a base URL. A server that does not belong to a provider may lack a parser for its model.
fn profile_at(base_url: &str, _: &str) -> ModelProfile {
    if base_url::is_provider(base_url) {
        return ModelProfile::new(Provider::OPENAI_CHAT).with_images(true);
    }
    ModelProfile::new(Provider::OPENAI_COMPATIBLE)
        .with_images(true)
        .with_think_tags(true)
        .with_text_calls(true)
}

settings!(OpenAi, "/chat/completions");

impl ChatModel for OpenAi {
    fn profile(&self) -> ModelProfile {
        self.settings.profile.clone()
    }

    fn check(&self) -> Result<(), ModelError> {
        self.settings.check()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let route = Route::bearer(&["chat", "completions"]);
        let sent_with = |request: &ChatRequest, constraint| {
            let body = body::body(&self.settings, request, constraint)?;
            self.settings.endpoint.request(&route, body)
        };
        if self.settings.profile.constrained_tools && !request.tools.is_empty() {
            let sent = constrained::request(&request, body::media_rules(&self.settings));
            let sent = sent.and_then(|(request, schema)| sent_with(&request, Some(schema)));
            return exchange::stream::<constrained::Constrained>(&self.settings, sent);
        }
        let sent = sent_with(&request, None);
        exchange::stream::<ChatCompletions>(&self.settings, sent)
    }
}

/// The format of [`OpenAi`].
struct ChatCompletions;

impl Format for ChatCompletions {
    type Assembly = assembly::CompletionAssembly;
    const API: Api = Api::ChatCompletions;

    fn completion(text: &str) -> Result<Vec<ModelEvent>, CompletionError> {
        let completion = openai::chat::read(text)?;
        let whole = Raw::parse(text).map_err(CompletionError::Json)?;
        let choice = whole
            .get("choices")
            .and_then(|choices| choices.items().next());
        let message = choice.and_then(|choice| choice.get("message"));
        let mut parts = Vec::new();
        let reasoning = completion
            .parts
            .iter()
            .find_map(|part| match &part.content {
                Content::Reasoning(text) if !is_item(part) && !text.is_empty() => {
                    Some(text.as_str())
                }
                _ => None,
            });
        parts.extend(message.and_then(|message| beside(message, reasoning)));
        parts.extend(completion.parts.into_iter().filter_map(part));
        let usage = whole.get("usage").filter(|usage| !usage.is_null());
        let usage = usage.map(usage::chat_completions);
        Ok(events(parts, usage, completion.finish))
    }
}

/// Returns whether a part is an item of a content list, which some servers send.
fn is_item(part: &Part) -> bool {
    part.json.starts_with('{')
}

/// Converts a part. Skips reasoning in a field of the message, because [`beside`] returns it.
fn part(part: Part) -> Option<MessagePart> {
    let is_item = is_item(&part);
    let kept = match &part.content {
        Content::Reasoning(_) if !is_item => return None,
        // a call to a tool with a grammar: agents have no such tools, so the call would never get a result
        Content::Other if is_custom_call(&part.json) => return None,
        Content::Text(_) if !is_item => None,
        Content::Refusal(text) => Some(json!({ "refusal": text }).to_string()),
        Content::Call(_) => Some(part.json),
        _ => Some(format!(r#"{{"content":[{}]}}"#, part.json)),
    };
    let item = kept.map(|json| KeptItem::new(FORMAT, json));
    message_part(part.content, item)
}

fn is_custom_call(json: &str) -> bool {
    Raw::parse(json).is_ok_and(|call| call.get("custom").is_some())
}

/// Returns a message's other fields as one part, unchanged: the reasoning, and any data that the server needs to continue the
/// conversation.
fn beside(message: Raw<'_>, reasoning: Option<&str>) -> Option<MessagePart> {
    // fields that become separate parts, or that servers send but reject in requests
    const OTHERS: [&str; 7] = [
        "role",
        "content",
        "refusal",
        "tool_calls",
        "function_call",
        "annotations",
        "audio",
    ];
    let is_kept = |key: &str, value: Raw<'_>| {
        let is_empty = matches!(value.kind(), Kind::Null) || matches!(value.text(), "\"\"" | "[]");
        !OTHERS.contains(&key) && !is_empty
    };
    let kept = message
        .entries()
        .filter(|entry| is_kept(&entry.key, entry.value));
    let fields: Vec<_> = kept
        .map(|entry| (entry.key, entry.value.text().to_owned()))
        .collect();
    if fields.is_empty() {
        return None;
    }
    let item = KeptItem::new(FORMAT, object(&fields));
    let content = reasoning.map_or(Content::Other, |text| Content::Reasoning(text.to_owned()));
    message_part(content, Some(item))
}
