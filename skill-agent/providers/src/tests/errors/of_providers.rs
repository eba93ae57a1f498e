//! Tests of providers' errors.

use crate::failure::{ResponseHead, failure};
use crate::tests::*;
use skill_agent_chat::__private::Classifier;
use skill_agent_http::Secrets;

pub(crate) fn of(status: u16, body: &str) -> ModelError {
    let secrets = Secrets::new(["sk-secret".to_owned()]);
    let head = ResponseHead {
        status,
        request_id: Some("req_1".to_owned()),
        retry_after: None,
    };
    failure(&secrets, &head, &Classifier::default(), body)
}

pub(crate) fn status(error: &ModelError) -> (u16, &str) {
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
        // from a provider behind OpenRouter
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
