//! Tests of errors that users of other libraries reported.

use crate::tests::errors::of_providers::{of, status};
use crate::tests::*;

/// Gemini's error as text within the error of a gateway. The wait is in the details of Gemini's error.
#[test]
fn a_wait_in_the_details_of_an_error_in_an_error_makes_it_retryable() {
    let within = json!({ "error": {
        "code": 429,
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "status": "RESOURCE_EXHAUSTED",
        "details": [
            { "@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{ "quotaId": "TokensPerModelPerMinute" }] },
            { "@type": "type.googleapis.com/google.rpc.Help", "links": [] },
            { "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "26s" },
        ],
    } });
    let text = format!("{within:#}\n");
    let body = json!({ "error": { "message": text, "code": 429, "status": "Too Many Requests" } });
    let error = of(429, &body.to_string());
    let message = "You exceeded your current quota, please check your plan and billing details.";
    assert_eq!(status(&error), (429, message));
    assert_eq!(error.retry_after(), Some(Duration::from_secs(26)));
    assert!(error.is_retryable());
}

#[test]
fn a_conversation_that_is_too_long_for_siliconflow_is_known() {
    let body = r#"{"code":20015,"message":"length of prompt_tokens (9000) must be less than max_seq_len (8192).","data":null}"#;
    let error = of(400, body);
    assert!(
        matches!(error, ModelError::ContextTooLong { .. }),
        "{error:?}"
    );
}

#[test]
fn a_conversation_that_is_too_long_for_cohere_is_known() {
    let body = r#"{"message":"too many tokens: total tokens exceeds the model's max of 8192"}"#;
    let error = of(400, body);
    assert!(
        matches!(error, ModelError::ContextTooLong { .. }),
        "{error:?}"
    );
}

#[test]
fn a_conversation_that_is_too_long_for_minimax_is_known() {
    let body = r#"{"type":"error","error":{"type":"invalid_request_error","message":"invalid params, context window exceeds limit (2013)"},"request_id":"r"}"#;
    let error = of(400, body);
    assert!(
        matches!(error, ModelError::ContextTooLong { .. }),
        "{error:?}"
    );
    // a daily limit does not mean that the conversation is too long
    let body = r#"{"message":"Too many tokens per day, please wait before trying again."}"#;
    assert!(!matches!(of(429, body), ModelError::ContextTooLong { .. }));
}

fn assert_exhausted(body: &str) {
    let error = of(429, body);
    assert!(
        matches!(error, ModelError::AccountExhausted { .. }),
        "{error:?}"
    );
    assert!(!error.is_retryable());
}

#[test]
fn free_usage_that_is_used_up_is_an_exhausted_account() {
    assert_exhausted(
        r#"{"code":"subscription:free-usage-exhausted","error":"You have used all of the included free usage"}"#,
    );
}

/// A quota of zero never lets a request through, although Gemini asks to wait.
#[test]
fn a_limit_of_zero_is_an_exhausted_account() {
    let message = "You exceeded your current quota, please check your plan and billing details.\n\
        * Quota exceeded for metric: free_tier_requests, limit: 0, model: m\nPlease retry in 26.3s.";
    let details =
        json!([{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "26s" }]);
    let body = json!({ "error": { "code": 429, "message": message, "status": "RESOURCE_EXHAUSTED", "details": details } });
    assert_exhausted(&body.to_string());
    // a quota above 0 becomes available again
    let message = message.replace("limit: 0,", "limit: 10,");
    let body = json!({ "error": { "code": 429, "message": message, "status": "RESOURCE_EXHAUSTED", "details": details } });
    assert!(of(429, &body.to_string()).is_retryable());
}

#[test]
fn an_exhausted_credit_is_not_retryable_beside_a_short_wait() {
    assert_exhausted(
        r#"{"error":{"code":"credit_balance_exhausted","message":"No.","retry_after":5}}"#,
    );
}

/// Phrases that resemble the ones for an exhausted account or for a conversation that is too long.
#[test]
fn a_limit_in_another_error_has_its_usual_meaning() {
    for body in [
        r#"{"error":{"message":"Invalid arguments: { limit: 0, offset: 1 }"}}"#,
        r#"{"error":{"message":"max_tokens exceeds the model's maximum of 8192"}}"#,
    ] {
        assert!(
            matches!(of(400, body), ModelError::Status { status: 400, .. }),
            "{body}"
        );
    }
}
