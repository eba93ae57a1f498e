//! OpenAI's Responses API.

mod assembly;
mod body;

use futures_core::stream::BoxStream;

use super::format::Format;
use super::format::completion::{events, message_part};
use super::settings::{Settings, settings};
use crate::failure::clues::Api;
use crate::format::usage;
use crate::http::base_url::is_openai;
use crate::http::endpoint::Route;
use crate::http::exchange;
use skill_agent_chat::{
    ChatModel, ChatRequest, KeptItem, MessagePart, ModelError, ModelEvent, ModelProfile,
};
use skill_agent_models::__private::Raw;
use skill_agent_models::{CompletionError, Content, Provider, openai};

/// The name of this format in a [`KeptItem`]. The item's JSON is an output item of a response.
const FORMAT: &str = "openai_responses";
const BASE_URL: &str = "https://api.openai.com/v1";

/// A model behind OpenAI's Responses API.
///
/// Each request contains the whole conversation, with OpenAI's items unchanged. By default, OpenAI stores each response, so
/// that it can look up the reasoning in later requests by the reasoning's id. [`stateless`](Self::stateless) turns off this
/// storage and requests encrypted reasoning instead.
///
/// The tools of deferred skills and sources are in an item `additional_tools` behind the result of their load, if the model is GPT-5.6 or
/// later. For others that support this, set [`ModelProfile::tools_in_messages`].
///
/// ```
/// use skill_agent::chat::{ChatModel, OpenAiResponses};
/// use skill_agent::models::Provider;
///
/// let model = OpenAiResponses::new("the key", "gpt-5").stateless();
/// assert_eq!(model.profile().provider, Provider::OPENAI_RESPONSES);
/// assert!(!format!("{model:?}").contains("the key"));
/// ```
#[derive(Clone, Debug)]
pub struct OpenAiResponses {
    settings: Settings,
    is_stateless: bool,
}

impl OpenAiResponses {
    /// Creates a model from its API key and name. If the server does not check keys, pass an empty key.
    pub fn new(key: impl Into<String>, model: impl Into<String>) -> Self {
        let profile_at = |url: &str, model: &str| {
            ModelProfile::new(Provider::OPENAI_RESPONSES)
                .with_images(true)
                .with_tools_in_messages(is_openai(url) && reads_additional_tools(model))
        };
        Self {
            settings: Settings::new(key.into(), model.into(), BASE_URL, profile_at),
            is_stateless: false,
        }
    }

    /// Asks the provider not to store responses, and to encrypt the reasoning that is sent back. Models without reasoning reject
    /// this.
    #[must_use]
    pub fn stateless(mut self) -> Self {
        self.is_stateless = true;
        self
    }
}

/// Returns whether a model of OpenAI reads tools in items of the conversation: GPT from 5.6 on.
fn reads_additional_tools(model: &str) -> bool {
    let version = model.strip_prefix("gpt-").unwrap_or_default();
    let version = version.split('-').next().unwrap_or_default();
    let numbers = version
        .split('.')
        .map_while(|number| number.parse::<u8>().ok());
    numbers.collect::<Vec<_>>() >= vec![5, 6]
}

settings!(OpenAiResponses, "/responses");

impl ChatModel for OpenAiResponses {
    fn profile(&self) -> ModelProfile {
        self.settings.profile.clone()
    }

    fn check(&self) -> Result<(), ModelError> {
        self.settings.check()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let route = Route::bearer(&["responses"]);
        let body = body::body(&self.settings, &request, self.is_stateless);
        let sent = body.and_then(|body| self.settings.endpoint.request(&route, body));
        exchange::stream::<Responses>(&self.settings, sent)
    }
}

/// The format of [`OpenAiResponses`].
struct Responses;

impl Format for Responses {
    type Assembly = assembly::ResponseAssembly;
    const API: Api = Api::Responses;

    fn completion(text: &str) -> Result<Vec<ModelEvent>, CompletionError> {
        let finish = openai::responses::read(text)?.finish;
        let whole = Raw::parse(text).map_err(CompletionError::Json)?;
        let output = whole.get("output");
        let items = output.into_iter().flat_map(Raw::items);
        let parts = items.filter_map(|item| part(item).transpose());
        let usage = whole.get("usage").filter(|usage| !usage.is_null());
        Ok(events(
            parts.collect::<Result<_, _>>()?,
            usage.map(usage::responses),
            finish,
        ))
    }
}

/// Reads one item as a part, as if the response had no other items. A message may contain several pieces of text, but is sent
/// back as one item.
fn part(item: Raw<'_>) -> Result<Option<MessagePart>, CompletionError> {
    let mut read = openai::responses::read(&format!(r#"{{"output":[{}]}}"#, item.text()))?.parts;
    let said = read.iter().filter_map(|part| match &part.content {
        Content::Text(text) | Content::Refusal(text) => Some(text.as_str()),
        _ => None,
    });
    let said = said.collect();
    // an item of the provider's own tool, or one without content, is kept only so that it can be sent back
    let content = match read.drain(..).next().map(|part| part.content) {
        Some(Content::Text(_) | Content::Refusal(_)) => Content::Text(said),
        content => content.unwrap_or(Content::Other),
    };
    Ok(message_part(
        content,
        Some(KeptItem::new(FORMAT, item.text())),
    ))
}
