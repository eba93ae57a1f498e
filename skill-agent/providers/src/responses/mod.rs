//! OpenAI's Responses API.

mod assembly;
mod body;

use futures_core::stream::BoxStream;

use super::format::Format;
use super::settings::{Settings, settings};
use crate::failure::clues::Api;
use crate::format::usage;
use crate::http::endpoint::Route;
use crate::http::exchange;
use skill_agent_chat::__private::WholeCompletion;
use skill_agent_chat::{
    CallPart, ChatModel, ChatRequest, KeptItem, MessagePart, ModelError, ModelEvent, ModelProfile,
    OpaquePart, TextPart,
};
use skill_agent_models::__private::Raw;
use skill_agent_models::{Completion, CompletionError, Content, Provider, openai};

/// The name of this format in a [`KeptItem`], which here is an output item of a response.
const FORMAT: &str = "openai_responses";
const BASE_URL: &str = "https://api.openai.com/v1";

/// A model behind OpenAI's Responses API.
///
/// A request contains the whole conversation, with its items unchanged. By default, OpenAI also stores the response, and finds
/// the reasoning by its id. [`stateless`](Self::stateless) turns off this storage and requests encrypted reasoning instead.
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
        let profile_at = |_: &str| ModelProfile::new(Provider::OPENAI_RESPONSES).with_images(true);
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

    fn completion(text: &str) -> Result<WholeCompletion, CompletionError> {
        let finish = openai::responses::read(text)?.finish;
        let whole = Raw::parse(text).map_err(CompletionError::Json)?;
        let output = whole.get("output");
        let items = output.into_iter().flat_map(Raw::items);
        let parts = items.map(part).collect::<Result<Vec<_>, _>>()?;
        Ok(WholeCompletion {
            parts,
            usage: whole
                .get("usage")
                .filter(|usage| !usage.is_null())
                .map(usage::responses),
            finish,
        })
    }
}

/// Reads one item as a part, as if the response had no other items. A message may contain several pieces of text, but is sent
/// back as one item.
fn part(item: Raw<'_>) -> Result<MessagePart, CompletionError> {
    let completion = openai::responses::read(&format!(r#"{{"output":[{}]}}"#, item.text()))?;
    let kept = KeptItem::new(FORMAT, item.text());
    let content = completion.parts.first().map(|part| &part.content);
    Ok(match content {
        Some(Content::Call(call)) => CallPart::new(call.clone()).with_item(kept).into(),
        Some(Content::Reasoning(text)) => {
            MessagePart::Reasoning(TextPart::new(text.as_str()).with_item(kept))
        }
        Some(Content::Text(_) | Content::Refusal(_)) => {
            TextPart::new(said(&completion)).with_item(kept).into()
        }
        // a tool of the provider, or a message without content
        _ => OpaquePart::new(kept).into(),
    })
}

/// Returns the text and the refusals of a completion, joined.
fn said(completion: &Completion) -> String {
    let texts = completion
        .parts
        .iter()
        .filter_map(|part| match &part.content {
            Content::Text(text) | Content::Refusal(text) => Some(text.as_str()),
            _ => None,
        });
    texts.collect()
}
