//! OpenAI's Chat Completions.

mod assembly;
mod body;
mod calls;
mod constrained;

use futures_core::stream::BoxStream;
use serde_json::Value;

use super::clues::Api;
use super::endpoint::Route;
use super::format::{Format, object};
use super::settings::{Settings, settings};
use super::{base_url, exchange, usage};
use skill_agent_chat::__private::WholeCompletion;
use skill_agent_chat::{
    CallPart, ChatModel, ChatRequest, KeptItem, MessagePart, ModelError, ModelEvent, ModelProfile,
    OpaquePart, TextPart,
};
use skill_agent_models::__private::{Kind, Raw};
use skill_agent_models::{CompletionError, Content, Part, Provider, openai};

/// The name of this format in kept items. The item of a call is a call; other items are objects with fields of the message.
const FORMAT: &str = "openai_chat";
const BASE_URL: &str = "https://api.openai.com/v1";

/// A model behind OpenAI's Chat Completions API, which many other servers have too.
///
/// | server | base URL |
/// | --- | --- |
/// | OpenAI | none to set |
/// | OpenRouter | `https://openrouter.ai/api/v1` |
/// | vLLM | `http://localhost:8000/v1` |
/// | llama.cpp | `http://localhost:8080/v1` |
/// | Ollama | `http://localhost:11434/v1` |
///
/// A [`base_url`](Self::base_url) that is not one of a large provider selects [`Provider::OPENAI_COMPATIBLE`], and turns on
/// [`think_tags`](ModelProfile::think_tags) and [`text_calls`](ModelProfile::text_calls), because local servers have no parser for many
/// models. [`with_profile`](Self::with_profile) has precedence.
///
/// The reasoning that servers write beside the text goes back to them, and so do the signatures of calls.
///
/// For small local models, a profile with [`constrained_tools`](ModelProfile::constrained_tools) turns the tools into one schema, which
/// the decoder of the server enforces: the model can write nothing but a call or an answer. One call comes in a completion, and nothing
/// is shown before it is whole. llama.cpp and vLLM enforce such a schema; OpenAI does not.
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
    /// A model of OpenAI. A server that checks no key takes an empty one.
    pub fn new(key: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            settings: Settings::new(key.into(), model.into(), BASE_URL, profile_at),
        }
    }
}

/// The profile of the models at an address. A server that does not belong to a provider may have no parser for its model.
fn profile_at(base_url: &str) -> ModelProfile {
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
        self.settings.endpoint.check()
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

    fn completion(text: &str) -> Result<WholeCompletion, CompletionError> {
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
                Content::Reasoning(text) if !is_item(part) => Some(text.as_str()),
                _ => None,
            });
        parts.extend(message.and_then(|message| beside(message, reasoning)));
        parts.extend(completion.parts.into_iter().filter_map(part));
        Ok(WholeCompletion {
            parts,
            usage: whole
                .get("usage")
                .filter(|usage| !usage.is_null())
                .map(usage::chat_completions),
            finish: completion.finish,
        })
    }
}

/// Whether a part is an item of the list that some servers write as content.
fn is_item(part: &Part) -> bool {
    part.json.starts_with('{')
}

/// A part beside the reasoning that is a field of the message.
fn part(part: Part) -> Option<MessagePart> {
    let content = |json: &str| KeptItem::new(FORMAT, format!(r#"{{"content":[{json}]}}"#));
    let is_item = is_item(&part);
    Some(match part.content {
        Content::Reasoning(text) if is_item => {
            let text = TextPart::new(text).with_item(content(&part.json));
            MessagePart::Reasoning(text)
        }
        Content::Reasoning(_) => return None,
        Content::Text(text) if is_item => TextPart::new(text).with_item(content(&part.json)).into(),
        Content::Text(text) => TextPart::new(text).into(),
        Content::Refusal(text) => {
            let refusal = Value::from(text.as_str());
            let fields = format!(r#"{{"refusal":{refusal}}}"#);
            TextPart::new(text)
                .with_item(KeptItem::new(FORMAT, fields))
                .into()
        }
        Content::Call(call) => CallPart::new(call)
            .with_item(KeptItem::new(FORMAT, part.json))
            .into(),
        // a call of a tool with a grammar, which no agent has, has no result either
        Content::Other if is_custom_call(&part.json) => return None,
        _ => OpaquePart::new(content(&part.json)).into(),
    })
}

fn is_custom_call(json: &str) -> bool {
    Raw::parse(json).is_ok_and(|call| call.get("custom").is_some())
}

/// The fields of a message beside its text and calls, as they came: reasoning, with what a server needs to read it again.
fn beside(message: Raw<'_>, reasoning: Option<&str>) -> Option<MessagePart> {
    // fields that servers write and refuse to read, and those that are parts of their own
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
    Some(match reasoning {
        Some(text) => MessagePart::Reasoning(TextPart::new(text).with_item(item)),
        None => OpaquePart::new(item).into(),
    })
}
