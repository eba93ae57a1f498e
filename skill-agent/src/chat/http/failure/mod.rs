//! Errors that providers write, with a status or within a stream.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use super::retry_after::retry_after;
use super::secrets::Secrets;
use crate::chat::ModelError;
use crate::models::raw::{Kind, Raw};

/// The most characters of a provider's message that are kept.
const MAX_MESSAGE: usize = 500;

/// The status and the headers of a response.
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

/// Codes and words by which servers say that a conversation is too long: OpenAI, vLLM; llama.cpp; Anthropic; Gemini; xAI; Bedrock;
/// Cohere; others.
const TOO_LONG: [&str; 13] = [
    "context_length_exceeded",
    "maximum context length",
    "exceed_context_size",
    "exceeds the available context size",
    "prompt is too long",
    "exceed context limit",
    "request_too_large",
    "exceeds the maximum number of tokens",
    "maximum prompt length",
    "input is too long",
    "tokens in the prompt cannot exceed",
    "context window",
    "context length",
];

/// Codes and words by which they refuse a request.
const REFUSED: [&str; 6] = [
    "content_filter",
    "content_policy_violation",
    "content filtering policy",
    "input was flagged",
    "prompt was flagged",
    "responsibleaipolicy",
];

/// The error that a body describes, or an event within a stream that began well.
pub(super) fn failure(secrets: &Secrets, head: &ResponseHead, body: &str) -> ModelError {
    let read = Raw::parse(body).ok().map(Failure::read);
    let read = read.unwrap_or_default();
    let message = read.message.unwrap_or_else(|| "no message".to_owned());
    let message = shortened(&secrets.hide(&message));
    let request_id = head.request_id.clone();
    let words = format!("{} {message}", read.codes).to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
    let known = Some(head.status).filter(|&status| status >= 300);
    let known = known.or(read.status);
    let status = known.unwrap_or_else(|| status_of(&read.codes));
    // a limit of tokens per minute is no limit of the context
    if status != 429 && says(&TOO_LONG) {
        return ModelError::ContextTooLong {
            request_id,
            message,
        };
    }
    // a status that is only guessed says less than the words
    if (status < 500 || known.is_none()) && status != 429 && says(&REFUSED) {
        return ModelError::Refused {
            request_id,
            message,
        };
    }
    ModelError::Status {
        status,
        request_id,
        message,
        retry_after: head.retry_after.or(read.retry_after),
    }
}

/// The parts of an error's JSON.
#[derive(Debug, Default)]
struct Failure {
    message: Option<String>,
    /// The codes, separated by spaces.
    codes: String,
    /// The status in the JSON of some servers.
    status: Option<u16>,
    /// Gemini has no header for it.
    retry_after: Option<Duration>,
}

impl Failure {
    /// Reads the error, and that of another provider within it: OpenRouter keeps it as a text, and says nothing more by itself.
    fn read(whole: Raw<'_>) -> Self {
        let mut failure = Self::read_outer(whole);
        let metadata = error(whole).and_then(|error| error.get("metadata"));
        let Some(raw) = metadata.and_then(|metadata| metadata.get("raw")) else {
            return failure;
        };
        let text = raw.string().unwrap_or_else(|| raw.text().to_owned());
        let inner = match Raw::parse(&text) {
            Ok(inner) => Self::read_outer(inner),
            Err(_) => Self::default(),
        };
        failure.message = inner.message.or(failure.message);
        failure.codes = format!("{} {}", inner.codes, failure.codes);
        failure.retry_after = failure.retry_after.or(inner.retry_after);
        failure
    }

    fn read_outer(whole: Raw<'_>) -> Self {
        let response = whole.get("response").unwrap_or(whole);
        let error = error(whole).unwrap_or(response);
        let text = |key: &str| error.get(key).and_then(Raw::string);
        let codes = ["code", "type", "status"].map(|key| text(key).unwrap_or_default());
        let status = error.get("code").and_then(|code| code.text().parse().ok());
        Self {
            message: error
                .string()
                .or_else(|| text("message"))
                .or_else(|| detail(whole))
                .or_else(|| of_reason(whole)),
            codes: codes.join(" "),
            status: status.filter(|status| (400..600).contains(status)),
            retry_after: error.get("details").and_then(retry_delay),
        }
    }
}

/// Whether a completion or an event is an error.
pub(super) fn is_failure(whole: Raw<'_>) -> bool {
    let has_error = |value: Raw<'_>| value.get("error").is_some_and(|error| !error.is_null());
    has_error(whole) || choice(whole).is_some_and(|choice| has_error(choice) || has_failed(choice))
}

/// Whether the provider behind OpenRouter failed.
fn has_failed(choice: Raw<'_>) -> bool {
    let reason = choice.get("finish_reason").and_then(Raw::string);
    reason.is_some_and(|reason| reason == "error")
}

/// The error within some JSON: of the whole, of a response in an event, or of a choice, where OpenRouter writes it.
fn error(whole: Raw<'_>) -> Option<Raw<'_>> {
    let response = whole.get("response").unwrap_or(whole);
    let errors = [
        response.get("error"),
        choice(whole).and_then(|choice| choice.get("error")),
    ];
    let is_error = |error: &Raw<'_>| matches!(error.kind(), Kind::Object | Kind::String);
    errors.into_iter().flatten().find(is_error)
}

/// The choice that is read.
fn choice(whole: Raw<'_>) -> Option<Raw<'_>> {
    let is_first = |choice: &Raw<'_>| choice.get("index").is_none_or(|index| index.text() == "0");
    whole.get("choices")?.items().find(is_first)
}

/// The wait in the details of an error of Google, such as `"retryDelay": "7.5s"`.
fn retry_delay(details: Raw<'_>) -> Option<Duration> {
    let mut details = details.items();
    let delay = details.find_map(|detail| detail.get("retryDelay")?.string())?;
    let seconds = delay.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The messages of FastAPI, without the input that it repeats.
fn detail(whole: Raw<'_>) -> Option<String> {
    let detail = whole.get("detail")?;
    if let Some(text) = detail.string() {
        return Some(text);
    }
    let messages = detail.items().filter_map(|item| item.get("msg")?.string());
    let messages: Vec<String> = messages.collect();
    (!messages.is_empty()).then(|| messages.join("; "))
}

/// The message about a completion that says nothing more of its failure.
fn of_reason(whole: Raw<'_>) -> Option<String> {
    let failed = choice(whole).filter(|&choice| has_failed(choice));
    failed.map(|_| "the completion ended with the reason `error`".to_owned())
}

/// The status that a provider would have sent before the stream began.
fn status_of(codes: &str) -> u16 {
    const STATUSES: [(&str, u16); 9] = [
        ("overloaded", 529),
        ("rate_limit", 429),
        ("timeout", 504),
        ("authentication", 401),
        ("permission", 403),
        ("not_found", 404),
        ("too_large", 413),
        ("invalid", 400),
        ("insufficient_quota", 429),
    ];
    let codes = codes.to_lowercase();
    let found = STATUSES.iter().find(|(code, _)| codes.contains(code));
    found.map_or(500, |&(_, status)| status)
}

fn shortened(message: &str) -> String {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    }
}
