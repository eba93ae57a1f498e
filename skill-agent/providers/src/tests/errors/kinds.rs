//! Tests of error messages that other libraries did not recognize.

use crate::tests::errors::of_providers::{of, status};
use crate::tests::*;
use skill_agent_chat::{ErrorKind, ModelProfile};
use skill_agent_models::Provider;

#[test]
fn a_conversation_that_is_too_long_is_known_by_more_words() {
    for (status, message) in [
        (
            400,
            "Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)",
        ),
        (400, "Prompt exceeds max length"),
        (400, "Range of input length should be [1, 98304]"),
        (
            422,
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 9000",
        ),
        (
            422,
            "Input validation error: `inputs` must have less than 4095 tokens. Given: 6000",
        ),
        (400, "prompt token count of 9000 exceeds the limit of 8192"),
        (
            400,
            "Unable to submit request because the input token count is 9000 but model only supports up to 8192.",
        ),
        (400, "tokens in request more than max tokens allowed"),
        (
            400,
            "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
        ),
        (400, "Your input exceeds this model's context window."),
        (
            500,
            "The sum of prompt length (9000.0), query length (0) should not exceed max_num_tokens (8192)",
        ),
        (
            400,
            "Prompt length (9000) exceeds maximum input length (8191)",
        ),
        (
            400,
            "the number of input tokens 9000 cannot exceed the total tokens limit 8192 for this model",
        ),
        (
            400,
            "Please reduce the length of the messages or completion.",
        ),
        (
            400,
            "prompt too long; exceeded max context length by 4 tokens",
        ),
        (
            400,
            "Invalid 'messages': array too long. Expected an array with maximum length 2048",
        ),
        (413, "Payload Too Large"),
        (
            429,
            "Request too large for gpt-x on tokens per min (TPM): Limit 30000, Requested 31000.",
        ),
    ] {
        let body = json!({ "error": { "message": message } }).to_string();
        let error = of(status, &body);
        assert!(
            matches!(error, ModelError::ContextTooLong { .. }),
            "{error:?}"
        );
    }
    for code in [
        "model_max_prompt_tokens_exceeded",
        "context_window_exceeded",
    ] {
        let body = json!({ "error": { "message": "No.", "code": code } }).to_string();
        assert!(matches!(of(400, &body), ModelError::ContextTooLong { .. }));
    }
    // a gateway names the error outside the message
    let body = r#"{"detail":"ContextWindowExceededError: {\"message\":\"9000 > 8192\"}"}"#;
    assert!(matches!(of(400, body), ModelError::ContextTooLong { .. }));
    for (number, message) in [
        (
            400,
            "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
        ),
        (
            400,
            "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64",
        ),
        (
            429,
            "This request exceeds the limit of 30000 tokens per minute; the context length is fine",
        ),
        (429, "Too many tokens per minute"),
    ] {
        let body = json!({ "error": { "message": message } }).to_string();
        assert_eq!(status(&of(number, &body)).0, number, "{message}");
    }
}

#[test]
fn an_exhausted_account_is_an_error_of_its_own_whatever_its_status() {
    for (status, code, message) in [
        (
            429,
            "insufficient_quota",
            "You exceeded your current quota, please check your plan and billing details.",
        ),
        (
            400,
            "billing_hard_limit_reached",
            "Billing hard limit has been reached",
        ),
        (
            400,
            "invalid_request_error",
            "Your credit balance is too low to access the Anthropic API.",
        ),
        (
            400,
            "invalid_request_error",
            "You have reached your specified API usage limits. You will regain access on 2027-01-01.",
        ),
        (402, "", "Insufficient Balance"),
        (
            402,
            "",
            "This request requires more credits, or fewer max_tokens.",
        ),
        (402, "", "anything"),
        (
            403,
            "",
            "Your team has either used all available credits or reached its monthly spending limit.",
        ),
        (
            429,
            "1113",
            "Insufficient balance or no resource package. Please recharge.",
        ),
        (
            429,
            "exceeded_current_quota_error",
            "Your account is suspended, please check your plan and billing details",
        ),
        (
            429,
            "usage_limit_reached",
            "The usage limit has been reached",
        ),
        (
            429,
            "",
            "Weekly/Monthly limit exhausted. Your limit will reset later.",
        ),
        (
            429,
            "user_weekly_rate_limited",
            "You've reached your weekly rate limit. Please wait for your limit to reset on April 19.",
        ),
        (
            429,
            "",
            "You are using a Trial key, which is limited to 1000 API calls / month.",
        ),
        (
            429,
            "RESOURCE_EXHAUSTED",
            "Your prepayment credits are depleted.",
        ),
        (
            429,
            "RESOURCE_EXHAUSTED",
            "You exceeded your current quota, please check your plan and billing details.",
        ),
        (429, "", "Rate limit exceeded: free-models-per-day."),
        (
            400,
            "Arrearage",
            "Access denied, please make sure your account is in good standing.",
        ),
        (
            400,
            "budget_exceeded",
            "Budget has been exceeded! Current cost: 10, Max budget: 10",
        ),
        (403, "", "Sorry, your account balance is insufficient"),
        (
            412,
            "",
            "Account x is suspended, possibly due to reaching the monthly spending limit.",
        ),
        (500, "insufficient_quota", "No."),
    ] {
        let body = json!({ "error": { "code": code, "message": message } }).to_string();
        let error = of(status, &body);
        assert!(
            matches!(error, ModelError::AccountExhausted { .. }),
            "{message}: {error:?}"
        );
        assert!(!error.is_retryable() && error.request_id() == Some("req_1"));
        assert!(
            error
                .to_string()
                .starts_with("the account at the provider is exhausted (request `req_1`): ")
        );
    }
    for (message, wait) in [
        (
            "Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000. Please try again in 6s. You can add a payment method at https://a.example/account/billing.",
            true,
        ),
        (
            "Requests have exceeded the token rate limit of your current pricing tier. Please retry after 12 seconds.",
            true,
        ),
        (
            "Rate limit reached on tokens per day (TPD): Limit 100000. Please try again in 7m12s.",
            true,
        ),
        (
            "You exceeded your current quota, please check your plan and billing details. Please retry in 7.5s.",
            true,
        ),
        (
            "Quota exceeded for generate_content_requests_per_minute_per_project.",
            false,
        ),
        ("Resource has been exhausted (e.g. check quota).", false),
    ] {
        let body = json!({ "error": { "code": 429, "message": message } }).to_string();
        let error = of(429, &body);
        assert_eq!(status(&error).0, 429, "{message}");
        assert_eq!(error.retry_after().is_some(), wait, "{message}");
        assert!(error.is_retryable());
    }
}

#[tokio::test]
async fn a_program_finds_the_kinds_of_errors_by_itself() {
    let body = r#"{"error":{"code":"scroll","message":"The scroll is full."}}"#;
    let response = || Response::json(body).status(400);
    let server = Server::start([response(), response()]).await;
    let error_of = |profile| {
        let model = open_ai(&server).with_profile(profile);
        async move { error(&model).await }
    };
    let profile = ModelProfile::new(Provider::OPENAI_COMPATIBLE);
    assert_eq!(status(&error_of(profile.clone()).await).0, 400);
    let own = profile.classify_error(|error| {
        assert_eq!((error.status, &*error.code), (Some(400), "scroll"));
        if error.message.contains("scroll") {
            ErrorKind::ContextTooLong
        } else {
            error.kind()
        }
    });
    assert!(matches!(
        error_of(own).await,
        ModelError::ContextTooLong { .. }
    ));
}
