//! The likely mistake of a program behind a response that is no completion: another address, or another API.

use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, LOCATION};

use super::base_url;
use super::failure::NO_MESSAGE;
use skill_agent_chat::ModelError;
use skill_agent_models::__private::Raw;
use skill_agent_models::CompletionError;

/// What the head of a response says about its server.
#[derive(Debug)]
pub(super) struct Clues {
    /// The hint for a page in place of JSON.
    page: Option<String>,
    /// The hint for the status.
    of_status: Option<String>,
}

impl Clues {
    pub(super) fn new(response: &Response) -> Self {
        let header = |name| response.headers().get(name)?.to_str().ok();
        let is_page = header(CONTENT_TYPE)
            .is_some_and(|kind| kind.trim_start().to_lowercase().starts_with("text/html"));
        let page = is_page.then(|| {
            let at = base_url::shown(response.url().clone());
            format!(
                "the server at `{at}` answered with a page (`text/html`), not JSON; is the base URL that of an API?"
            )
        });
        let of_status = match response.status().as_u16() {
            300..400 => header(LOCATION).and_then(|to| {
                let to = base_url::shown(response.url().join(to).ok()?);
                Some(format!(
                    "it leads to `{to}`, and redirects are not followed; check the base URL"
                ))
            }),
            404 => base_url::without_version(response.url()).or_else(|| page.clone()),
            405 => page.clone(),
            _ => None,
        };
        Self { page, of_status }
    }

    /// The mistake of a body that is not JSON.
    pub(super) fn not_json(&self, error: &serde_json::Error) -> String {
        let page = self.page.clone();
        page.unwrap_or_else(|| format!("not JSON: {error}"))
    }

    /// An error of the server with the hint for its status.
    pub(super) fn add_to(self, mut failure: ModelError) -> ModelError {
        if let (ModelError::Status { message, .. }, Some(hint)) = (&mut failure, self.of_status) {
            *message = match message.as_str() {
                NO_MESSAGE => hint,
                message => format!("{message}; {hint}"),
            };
        }
        failure
    }
}

/// The APIs whose completions are known by their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Api {
    ChatCompletions,
    Responses,
    Messages,
    Gemini,
}

impl Api {
    /// The API of a completion or an event, and what shows it.
    fn of(raw: Raw<'_>) -> Option<(Self, String)> {
        let lists = [
            ("choices", Self::ChatCompletions),
            ("output", Self::Responses),
            ("candidates", Self::Gemini),
        ];
        if let Some((key, api)) = lists.into_iter().find(|(key, _)| raw.get(key).is_some()) {
            return Some((api, format!("`{key}`")));
        }
        let kind = raw.get("type").and_then(Raw::string)?;
        let api = match &*kind {
            kind if kind.starts_with("response.") => Self::Responses,
            "message" | "message_start" | "content_block_start" => Self::Messages,
            _ => return None,
        };
        Some((api, format!("the type `{kind}`")))
    }

    /// The name, and the model that speaks it.
    fn model(self) -> (&'static str, &'static str) {
        match self {
            Self::ChatCompletions => ("Chat Completions", "`OpenAi`"),
            Self::Responses => ("Responses", "`OpenAiResponses`"),
            Self::Messages => ("Messages", "`Anthropic`"),
            Self::Gemini => ("the API of Gemini", "`GenAi` of the feature `genai`"),
        }
    }

    /// The hint for a completion of another API.
    pub(super) fn other_than(self, raw: Raw<'_>) -> Option<String> {
        let (api, sign) = Self::of(raw).filter(|(api, _)| *api != self)?;
        let (name, model) = api.model();
        Some(format!(
            "the response has {sign}: it is {name}, use {model}"
        ))
    }
}

/// Why a text is no completion, without what a provider wrote.
pub(super) fn unreadable(error: &CompletionError, hint: Option<&str>) -> String {
    let problem = match error {
        CompletionError::Provider { .. } => "an error of the provider".to_owned(),
        error => error.to_string(),
    };
    match hint {
        Some(hint) => format!("{problem}; {hint}"),
        None => problem,
    }
}
