//! Hints for a response that is not a completion, usually because of a wrong address or API.

use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, LOCATION};

use crate::failure::{NO_MESSAGE, shortened};
use crate::http::base_url;
use crate::http::endpoint::Endpoint;
use skill_agent_chat::ModelError;
use skill_agent_models::__private::{Kind, Raw};
use skill_agent_models::CompletionError;

/// Hints from the status and headers of a response.
#[derive(Debug)]
pub(crate) struct Clues {
    /// The hint for an HTML page instead of JSON.
    page: Option<String>,
    /// The hint for the status.
    of_status: Option<String>,
}

impl Clues {
    pub(crate) fn new(response: &Response) -> Self {
        let header = |name| response.headers().get(name)?.to_str().ok();
        let is_page = header(CONTENT_TYPE)
            .is_some_and(|kind| kind.trim_start().to_lowercase().starts_with("text/html"));
        let at = || base_url::shown(response.url().clone());
        let page = is_page.then(|| {
            format!(
                "the server at `{}` answered with a page (`text/html`); check that the base URL is the address of an API",
                at()
            )
        });
        let of_status = match response.status().as_u16() {
            300..400 => header(LOCATION).and_then(|to| {
                let to = base_url::shown(response.url().join(to).ok()?);
                Some(format!(
                    "it leads to `{to}`, and redirects are not followed; check the base URL"
                ))
            }),
            404 => match (base_url::without_version(response.url()), &page) {
                (Some(hint), _) => Some(format!("the address was `{}`; {hint}", at())),
                (None, Some(page)) => Some(page.clone()),
                (None, None) => Some(format!("the address was `{}`", at())),
            },
            405 => page.clone(),
            _ => None,
        };
        Self { page, of_status }
    }

    /// Returns the error message for a body that is not JSON.
    pub(crate) fn not_json(&self, error: &serde_json::Error) -> String {
        match &self.page {
            Some(page) => format!("not JSON: {page}"),
            None => format!("not JSON: {error}"),
        }
    }

    /// Adds the hint for the status to an error from a server.
    pub(crate) fn add_to(self, mut failure: ModelError, endpoint: &Endpoint) -> ModelError {
        if let (ModelError::Status { message, .. }, Some(hint)) = (&mut failure, self.of_status) {
            let hint = shortened(&endpoint.without_secrets(&hint));
            *message = match message.as_str() {
                NO_MESSAGE => hint,
                message => format!("{message}; {hint}"),
            };
        }
        failure
    }
}

/// The APIs whose completions can be identified by their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Api {
    ChatCompletions,
    Responses,
    Messages,
    Gemini,
}

impl Api {
    /// Returns the key or event type of this API that `raw` has. Returns `None` if `raw` is neither a completion nor an event of it.
    fn sign(self, raw: Raw<'_>) -> Option<String> {
        let (list, events): (_, &[&str]) = match self {
            Self::ChatCompletions => ("choices", &[]),
            Self::Responses => ("output", &["response."]),
            Self::Messages => ("content", &["message_start"]),
            Self::Gemini => ("candidates", &[]),
        };
        if raw
            .get(list)
            .is_some_and(|value| value.kind() == Kind::Array)
        {
            return Some(format!("`{list}`"));
        }
        let kind = raw.get("type").and_then(Raw::string)?;
        let is_own = events.iter().any(|event| kind.starts_with(event));
        is_own.then(|| format!("the type `{kind}`"))
    }

    /// Checks that a completion or an event does not belong to a different API. Returns `true` if it belongs to this API, and
    /// `false` if nothing identifies its API.
    ///
    /// # Errors
    /// Returns a hint that names the actual API.
    pub(crate) fn check(self, raw: Raw<'_>) -> Result<bool, String> {
        const ALL: [Api; 4] = [
            Api::ChatCompletions,
            Api::Responses,
            Api::Messages,
            Api::Gemini,
        ];
        if self.sign(raw).is_some() {
            return Ok(true);
        }
        let mut others = ALL
            .into_iter()
            .filter_map(|other| Some((other, other.sign(raw)?)));
        match others.next() {
            Some((other, sign)) => {
                let (name, model) = other.model();
                Err(format!(
                    "the response has {sign}: it is {name}, use {model}"
                ))
            }
            None => Ok(false),
        }
    }

    /// Returns the API's name, and the model type that uses it.
    fn model(self) -> (&'static str, &'static str) {
        match self {
            Self::ChatCompletions => ("Chat Completions", "`OpenAi`"),
            Self::Responses => ("Responses", "`OpenAiResponses`"),
            Self::Messages => ("Messages", "`Anthropic`"),
            Self::Gemini => ("the API of Gemini", "`GenAi` of the feature `genai`"),
        }
    }
}

/// Describes why the text is not a completion, without quoting the provider.
pub(crate) fn unreadable(error: &CompletionError) -> String {
    match error {
        CompletionError::Provider { .. } => "an error of the provider".to_owned(),
        error => error.to_string(),
    }
}
