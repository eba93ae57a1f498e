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
                .or_else(|| detail(whole)),
            codes: codes.join(" "),
            status: status.filter(|status| (400..600).contains(status)),
            retry_after: error.get("details").and_then(retry_delay),
        }
    }
}

/// Whether a completion or an event is an error.
pub(super) fn is_failure(whole: Raw<'_>) -> bool {
    let is_there = |value: Raw<'_>| !value.is_null();
    let reason = choice(whole).and_then(|choice| choice.get("finish_reason")?.string());
    whole.get("error").is_some_and(is_there)
        || choice(whole).is_some_and(|choice| choice.get("error").is_some_and(is_there))
        || reason.is_some_and(|reason| reason == "error")
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
    whole.get("choices")?.items().next()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, body: &str) -> ModelError {
        let secrets = Secrets::new(["sk-secret".to_owned()]);
        let head = ResponseHead {
            status,
            request_id: Some("req_1".to_owned()),
            retry_after: None,
        };
        failure(&secrets, &head, body)
    }

    fn status(error: &ModelError) -> (u16, &str) {
        match error {
            ModelError::Status {
                status, message, ..
            } => (*status, message),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_server_writes_the_message_of_an_error_elsewhere() {
        for (body, message) in [
            (
                r#"{"error":{"message":"No  such\nmodel.","type":"x"}}"#,
                "No such model.",
            ),
            (
                r#"{"type":"error","error":{"type":"not_found_error","message":"model: x"}}"#,
                "model: x",
            ),
            (r#"{"error":"model 'x' not found"}"#, "model 'x' not found"),
            (r#"{"object":"error","message":"x","code":404}"#, "x"),
            (r#"{"detail":"Not Found"}"#, "Not Found"),
            (
                r#"{"detail":[{"loc":["body"],"msg":"Field required","input":{"secret":1}},{"msg":"b"}]}"#,
                "Field required; b",
            ),
            ("<html>", "no message"),
            ("[]", "no message"),
            (
                r#"{"error":{"message":"Incorrect key sk-secret"}}"#,
                "Incorrect key …",
            ),
        ] {
            assert_eq!(status(&of(404, body)), (404, message), "{body}");
        }
        let long = format!(r#"{{"error":"{}"}}"#, "é".repeat(501));
        assert_eq!(status(&of(400, &long)).1.chars().count(), 501);
    }

    #[test]
    fn a_context_that_is_too_long_is_recognised_for_each_server() {
        for (status, body) in [
            (
                400,
                r#"{"error":{"message":"Your input exceeds it.","code":"context_length_exceeded"}}"#,
            ),
            (
                400,
                r#"{"object":"error","message":"This model's maximum context length is 8192 tokens."}"#,
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#,
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 2 tokens > 1 maximum"}}"#,
            ),
            (
                400,
                r#"{"error":{"message":"input length and `max_tokens` exceed context limit: 1 + 2 > 3"}}"#,
            ),
            (
                413,
                r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"The input token count (9) exceeds the maximum number of tokens allowed (8).","status":"INVALID_ARGUMENT"}}"#,
            ),
            (
                400,
                r#"{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 8 but the request contains 9 tokens."}"#,
            ),
            (
                400,
                r#"{"message":"Input is too long for requested model."}"#,
            ),
            (
                400,
                r#"{"message":"too many tokens: total number of tokens in the prompt cannot exceed 8 - received 9."}"#,
            ),
            // of a provider behind OpenRouter
            (
                400,
                r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"too much\",\"code\":\"context_length_exceeded\"}}","provider_name":"x"}}}"#,
            ),
        ] {
            let error = of(status, body);
            assert!(
                matches!(error, ModelError::ContextTooLong { .. }),
                "{error:?}"
            );
            assert!(!error.is_retryable() && error.request_id() == Some("req_1"));
        }
        let limited =
            r#"{"error":{"message":"Limit of tokens per min for this context length reached"}}"#;
        assert_eq!(status(&of(429, limited)).0, 429);
    }

    #[test]
    fn the_error_of_a_provider_behind_openrouter_is_read() {
        let body = |raw: &str| {
            format!(
                r#"{{"error":{{"message":"Provider returned error","code":502,"metadata":{{"raw":{raw},"provider_name":"x"}}}}}}"#
            )
        };
        for (raw, message) in [
            (r#""{\"error\":{\"message\":\"Down.\"}}""#, "Down."),
            (
                r#"{"message":"The key sk-secret is wrong."}"#,
                "The key … is wrong.",
            ),
            (r#""<html>""#, "Provider returned error"),
            ("null", "Provider returned error"),
            ("[]", "Provider returned error"),
        ] {
            assert_eq!(status(&of(502, &body(raw))), (502, message), "{raw}");
        }
    }

    #[test]
    fn the_wait_that_gemini_asks_for_is_in_the_details() {
        let body = |delay: &str| {
            format!(
                r#"{{"error":{{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED","details":[
                    {{"@type":"type.googleapis.com/google.rpc.Help"}},
                    {{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"{delay}"}}]}}}}"#
            )
        };
        let wait = |delay| of(429, &body(delay)).retry_after();
        assert_eq!(wait("7s"), Some(Duration::from_secs(7)));
        assert_eq!(wait("0.5s"), Some(Duration::from_millis(500)));
        for malformed in ["7", "s", "-1s", "NaNs"] {
            assert_eq!(wait(malformed), None, "{malformed}");
        }
    }

    #[test]
    fn a_request_that_is_refused_is_not_sent_again() {
        for (status, body) in [
            (
                400,
                r#"{"error":{"code":"content_filter","message":"The prompt triggered the policy."}}"#,
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}}"#,
            ),
            (
                403,
                r#"{"error":{"code":403,"message":"your input was flagged"}}"#,
            ),
            (
                400,
                r#"{"error":{"code":"invalid_prompt","message":"Invalid prompt: your prompt was flagged as potentially violating our usage policy."}}"#,
            ),
            // within a stream
            (
                200,
                r#"{"error":{"code":"content_filter","message":"The answer triggered the policy."}}"#,
            ),
        ] {
            let error = of(status, body);
            assert!(matches!(error, ModelError::Refused { .. }), "{error:?}");
            assert!(!error.is_retryable());
        }
        let account = r#"{"error":{"message":"your account was flagged"}}"#;
        assert_eq!(status(&of(403, account)).0, 403);
    }

    #[test]
    fn an_error_within_a_stream_has_the_status_of_its_code() {
        for (body, expected) in [
            (
                r#"{"type":"error","error":{"type":"overloaded_error","message":"x"}}"#,
                529,
            ),
            (r#"{"error":{"code":502,"message":"x"}}"#, 502),
            (
                r#"{"type":"response.failed","response":{"error":{"code":"rate_limit_exceeded","message":"x"}}}"#,
                429,
            ),
            (
                r#"{"type":"error","code":"server_error","message":"x"}"#,
                500,
            ),
            (
                r#"{"type":"error","error":{"type":"authentication_error","message":"x"}}"#,
                401,
            ),
        ] {
            assert_eq!(status(&of(200, body)), (expected, "x"), "{body}");
        }
    }
}
