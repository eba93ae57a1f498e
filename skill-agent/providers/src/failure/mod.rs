//! Errors from providers, as a status or within a stream.

pub(crate) mod clues;
mod shapes;

pub(super) use shapes::is_failure;

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use crate::http::retry_after::retry_after;
use shapes::Found;
use skill_agent_chat::__private::Classifier;
use skill_agent_chat::{ErrorKind, ModelError, ProviderError};
use skill_agent_http::Secrets;

/// The message of an error for which the provider sent no message.
pub(super) const NO_MESSAGE: &str = "no message";
/// The maximum number of characters that an error keeps of a provider's message.
const MAX_MESSAGE: usize = 500;

/// The status and headers of a response.
#[derive(Clone, Debug, Default)]
pub(super) struct ResponseHead {
    pub(super) status: u16,
    pub(super) request_id: Option<String>,
    pub(super) retry_after: Option<Duration>,
}

impl ResponseHead {
    pub(super) fn new(status: StatusCode, headers: &HeaderMap, secrets: &Secrets) -> Self {
        Self {
            status: status.as_u16(),
            request_id: request_id(headers, secrets),
            retry_after: retry_after(headers),
        }
    }
}

fn request_id(headers: &HeaderMap, secrets: &Secrets) -> Option<String> {
    let id = ["x-request-id", "request-id"]
        .iter()
        .find_map(|name| headers.get(*name))?;
    let id = secrets.hide(id.to_str().ok()?);
    Some(id.chars().take(200).collect())
}

/// Reads the error in a body, or in an event of a stream that started successfully.
pub(super) fn failure(
    secrets: &Secrets,
    head: &ResponseHead,
    classifier: &Classifier,
    body: &str,
) -> ModelError {
    let found = Found::read(body);
    let message = found.message.unwrap_or_else(|| NO_MESSAGE.to_owned());
    let known = Some(head.status).filter(|&status| status >= 300);
    let mut error = ProviderError::default();
    error.status = known.or(found.status);
    error.message = shortened(&secrets.hide(&message));
    error.retry_after = head.retry_after.or(found.retry_after);
    error.around = shortened(&secrets.hide(&found.around.join(" ")));
    error.code = shortened(&secrets.hide(&found.codes.join(" ")));
    let kind = classifier.kind(&error);
    let request_id = head.request_id.clone();
    let ProviderError {
        message,
        retry_after,
        ..
    } = error;
    match kind {
        ErrorKind::ContextTooLong => ModelError::ContextTooLong {
            request_id,
            message,
        },
        ErrorKind::Refused => ModelError::Refused {
            request_id,
            message,
        },
        ErrorKind::AccountExhausted => ModelError::AccountExhausted {
            request_id,
            message,
            retry_after,
        },
        _ => ModelError::Status {
            status: error.status.unwrap_or_else(|| status_of(&error.code)),
            request_id,
            message,
            retry_after,
        },
    }
}

/// Returns a status for the codes of an error without a status, such as an error within a stream. The default is 500.
fn status_of(codes: &str) -> u16 {
    const STATUSES: [(&str, u16); 14] = [
        ("overloaded", 529),
        ("rate_limit", 429),
        ("resource_exhausted", 429),
        ("throttl", 429),
        ("timeout", 504),
        ("deadline_exceeded", 504),
        ("unavailable", 503),
        ("authentication", 401),
        ("unauthenticated", 401),
        ("permission", 403),
        ("not_found", 404),
        ("too_large", 413),
        ("invalid", 400),
        ("failed_precondition", 400),
    ];
    let codes = codes.to_lowercase();
    let found = STATUSES.iter().find(|(code, _)| codes.contains(code));
    found.map_or(500, |&(_, status)| status)
}

pub(super) fn shortened(message: &str) -> String {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    }
}
