//! Tests of error shapes that other libraries did not read.

use crate::tests::errors::of_providers::{of, status};
use crate::tests::*;

#[test]
fn the_message_of_an_error_is_found_in_each_shape() {
    for (body, message) in [
        // Google, including Vertex
        (
            r#"[{"error":{"code":404,"message":"models/x is not found","status":"NOT_FOUND"}}]"#,
            "models/x is not found",
        ),
        // one provider's error nested in another, as JSON or as text
        (
            r#"{"error":{"message":"{\"error\":{\"code\":503,\"message\":\"Overloaded.\"}}","code":503}}"#,
            "Overloaded.",
        ),
        (
            r#"{"detail":"BadRequestError: Hosted_vllmException - {\"object\":\"error\",\"message\":\"No such model.\",\"code\":404}"}"#,
            "No such model.",
        ),
        (
            r#"{"error":{"message":"litellm.BadRequestError: VertexAIException - [{\"error\":{\"code\":400,\"message\":\"No.\"}}]\nReceived Model Group=a"}}"#,
            "No.",
        ),
        (
            r#"{"error_code":"BAD_REQUEST","message":"{\"external_model_provider\":\"a\",\"external_model_error\":{\"error\":{\"type\":\"x\",\"message\":\"No.\"}}}"}"#,
            "No.",
        ),
        (
            r#""{\"error\":\"{\\\"message\\\":\\\"Deep.\\\"}\"}""#,
            "Deep.",
        ),
        // other keys
        (
            r#"{"errors":[{"code":7003,"message":"No route."}],"success":false}"#,
            "No route.",
        ),
        (r#"{"error":["Error in `inputs`"]}"#, "Error in `inputs`"),
        (r#"{"detail":{"error":{"message":"No."}}}"#, "No."),
        (
            r#"{"status":400,"title":"Bad Request","detail":"No tools."}"#,
            "No tools.",
        ),
        (r#"{"msg":"No.","code":"1"}"#, "No."),
        // without JSON
        ("upstream connect error", "upstream connect error"),
        ("  Rate limit\n exceeded.  ", "Rate limit exceeded."),
        (
            "<html><head><title>502 Bad Gateway</title></head><body>x</body></html>",
            "502 Bad Gateway",
        ),
        // JSON that is not an error
        (
            r#"{"error":{"message":"Invalid schema {\"type\":\"any\"} of x"}}"#,
            r#"Invalid schema {"type":"any"} of x"#,
        ),
        (
            r#"{"error":{"message":"[\"a\"] is not one of them"}}"#,
            r#"["a"] is not one of them"#,
        ),
        ("{}", "no message"),
        ("[{}]", "no message"),
        ("\u{1f}\u{8b}\u{8}", "no message"),
    ] {
        assert_eq!(status(&of(404, body)), (404, message), "{body}");
    }
    // with quadratic time, these would take minutes
    for begin in ["[", "{", "[ ", "weekly "] {
        of(500, &begin.repeat(1 << 18));
    }
    let deep = format!("{}{}", r#"{"error":"#.repeat(1_000), "}".repeat(1_000));
    of(500, &deep);
}

#[test]
fn the_wait_of_an_error_is_found_in_each_shape() {
    for (body, milliseconds) in [
        (
            r#"[{"error":{"code":429,"message":"Quota exceeded.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7s"}]}}]"#,
            7_000,
        ),
        (
            r#"{"error":{"message":"{\"error\":{\"message\":\"Slow.\",\"details\":[{\"retryDelay\":\"1.5s\"}]}}"}}"#,
            1_500,
        ),
        (
            r#"{"error":{"message":"Rate limit reached. Please try again in 1m20s. Visit x."}}"#,
            80_000,
        ),
        (
            r#"{"error":{"message":"Please retry after 12 seconds."}}"#,
            12_000,
        ),
        (r#"{"error":{"message":"Slow.","retry_after":3}}"#, 3_000),
        (
            r#"{"error":{"message":"Slow.","resets_in_seconds":"90"}}"#,
            90_000,
        ),
        ("Too many requests, retry in 20 seconds", 20_000),
    ] {
        let error = of(429, body);
        assert_eq!(status(&error).0, 429, "{body}");
        let wait = Duration::from_millis(milliseconds);
        assert_eq!(error.retry_after(), Some(wait), "{body}");
        assert!(error.is_retryable());
    }
}

#[tokio::test]
async fn an_error_in_a_list_is_read_within_a_stream_too() {
    let begun = r#"{"choices":[{"delta":{"content":"a"}}]}"#;
    let limited = r#"[{"error":{"code":429,"message":"Slow.","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"2s"}]}}]"#;
    let server = Server::start([
        Response::events(&[begun, limited]),
        Response::json(limited),
        Response::json(limited).status(429),
    ])
    .await;
    for _ in 0..3 {
        let error = error(&open_ai(&server)).await;
        assert_eq!(status(&error), (429, "Slow."));
        assert_eq!(error.retry_after(), Some(Duration::from_secs(2)));
    }
}

#[test]
fn a_conversation_that_is_too_long_is_known_in_a_list_of_errors() {
    let body = r#"[{"error":{"code":400,"message":"The input token count (9000) exceeds the maximum number of tokens allowed (8192).","status":"INVALID_ARGUMENT"}}]"#;
    assert!(matches!(of(400, body), ModelError::ContextTooLong { .. }));
}
