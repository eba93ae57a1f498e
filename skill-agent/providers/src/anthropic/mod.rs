//! Anthropic's Messages API.

mod assembly;
mod body;

use futures_core::stream::BoxStream;
use reqwest::header::HeaderName;

use super::format::Format;
use super::format::completion::{events, message_part};
use super::settings::{Settings, settings};
use crate::failure::clues::Api;
use crate::format::usage;
use crate::http::endpoint::Route;
use crate::http::exchange;
use skill_agent_chat::{
    ChatModel, ChatRequest, KeptItem, MessagePart, ModelError, ModelEvent, ModelProfile,
};
use skill_agent_models::__private::Raw;
use skill_agent_models::{CompletionError, Content, Part, Provider, anthropic};

/// The name of this format in kept items.
const FORMAT: &str = "anthropic";
const BASE_URL: &str = "https://api.anthropic.com";

/// A model behind Anthropic's Messages API.
///
/// To turn on thinking, add its field to the body, as in `options.extra("thinking", json!({…}))`. Signatures, redacted thinking
/// and the results of Anthropic's own tools are sent back unchanged. The prompt is marked for Anthropic's cache in three places:
/// after the tools, after the system text, and after the last message, if it is from the user or the tools.
///
/// The tools of deferred skills and sources have `defer_loading`, and the result of a load refers to them, if the model is a Sonnet or
/// Opus from 4.5 on. For others that support this, set [`ModelProfile::tools_in_messages`].
///
/// The answer's schema is sent as `output_config.format`, in the dialect that this field requires,
/// [`Provider::ANTHROPIC_STRICT`].
///
/// ```
/// use skill_agent::chat::{Anthropic, ChatModel};
/// use skill_agent::models::Provider;
///
/// let model = Anthropic::new("the key", "claude-sonnet-4-5");
/// assert_eq!(model.profile().provider, Provider::ANTHROPIC);
/// assert!(!format!("{model:?}").contains("the key"));
/// ```
#[derive(Clone, Debug)]
pub struct Anthropic {
    settings: Settings,
    prompt_cache: bool,
}

impl Anthropic {
    /// Creates a model from its API key and name. If the server does not check keys, pass an empty key.
    pub fn new(key: impl Into<String>, model: impl Into<String>) -> Self {
        let profile_at = |url: &str, model: &str| {
            ModelProfile::new(Provider::ANTHROPIC)
                .with_images(true)
                .with_tools_in_messages(url == BASE_URL && reads_tool_references(model))
        };
        Self {
            settings: Settings::new(key.into(), model.into(), BASE_URL, profile_at),
            prompt_cache: true,
        }
    }

    /// Sets whether to mark the prompt for the cache. The default is `true`.
    #[must_use]
    pub fn prompt_cache(mut self, is_on: bool) -> Self {
        self.prompt_cache = is_on;
        self
    }
}

/// Returns whether a model of Anthropic reads references to deferred tools: Sonnet and Opus from 4.5 on.
fn reads_tool_references(model: &str) -> bool {
    ["sonnet-", "opus-"].iter().any(|family| {
        let version = model.split_once(family).map(|(_, version)| version);
        // a name may end with a date, as in `claude-sonnet-4-20250514`
        let numbers = version.into_iter().flat_map(|version| version.split('-'));
        let numbers = numbers.map_while(|number| number.parse::<u8>().ok());
        numbers.collect::<Vec<_>>() >= vec![4, 5]
    })
}

settings!(Anthropic, "/v1/messages");

impl ChatModel for Anthropic {
    fn profile(&self) -> ModelProfile {
        self.settings.profile.clone()
    }

    fn check(&self) -> Result<(), ModelError> {
        self.settings.check()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let route = Route {
            path: &["v1", "messages"],
            key: (HeaderName::from_static("x-api-key"), ""),
            headers: &[("anthropic-version", "2023-06-01")],
        };
        let body = body::body(&self.settings, &request, self.prompt_cache);
        let sent = body.and_then(|body| self.settings.endpoint.request(&route, body));
        exchange::stream::<Messages>(&self.settings, sent)
    }
}

/// The format of [`Anthropic`].
struct Messages;

impl Format for Messages {
    type Assembly = assembly::MessageAssembly;
    const API: Api = Api::Messages;

    fn completion(text: &str) -> Result<Vec<ModelEvent>, CompletionError> {
        let completion = anthropic::read(text)?;
        let usage = Raw::parse(text).ok().and_then(|whole| whole.get("usage"));
        let parts = completion.parts.into_iter().filter_map(part);
        let usage = usage.map(usage::anthropic);
        Ok(events(parts.collect(), usage, completion.finish))
    }
}

/// Converts a part and keeps its block. Drops empty text. Keeps no block for text that has no other fields, such as citations.
fn part(Part { content, json, .. }: Part) -> Option<MessagePart> {
    let is_kept = match &content {
        Content::Text(text) | Content::Refusal(text) if text.is_empty() => return None,
        Content::Text(_) | Content::Refusal(_) => {
            let mut fields = Raw::parse(&json).ok()?.entries();
            fields.any(|field| {
                !matches!(field.key.as_str(), "type" | "text") && !field.value.is_null()
            })
        }
        _ => true,
    };
    message_part(content, is_kept.then(|| KeptItem::new(FORMAT, json)))
}
