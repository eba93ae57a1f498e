//! Tests of responses that are not completions.

use super::*;

fn text(text: &str) -> String {
    format!(r#"{{"choices":[{{"delta":{{"content":"{text}"}}}}]}}"#)
}

fn candidate(text: &str) -> String {
    format!(r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{text}"}}]}}}}]}}"#)
}

#[tokio::test]
async fn a_stream_that_ends_early_is_cut_off() {
    for (kind, event) in [
        (AdapterKind::OpenAI, text("a")),
        (AdapterKind::Gemini, candidate("a")),
        (
            AdapterKind::Ollama,
            r#"{"message":{"content":"a"}}"#.to_owned(),
        ),
        (
            AdapterKind::OpenAIResp,
            r#"{"type":"response.output_text.delta","delta":"a"}"#.to_owned(),
        ),
    ] {
        let whole = match kind {
            AdapterKind::Ollama => format!("{event}\n"),
            _ => format!("data: {event}\n\n"),
        };
        // cut off within an event, and within a character
        let of_bytes = |length: usize| {
            let next = whole.replacen("\"a\"", "\"é\"", 1);
            let mut bytes = (whole.clone() + &next).into_bytes();
            bytes.truncate(whole.len() + length);
            Response::stream(bytes)
        };
        let within = whole.find("\"a\"").unwrap();
        let responses = [
            of_bytes(0),
            of_bytes(0).cut(),
            of_bytes(within),
            of_bytes(within + 2),
        ];
        let server = Server::start(responses).await;
        let model = model(&server, kind);
        for _ in 0..4 {
            let mut events = events(&model, question()).await;
            let error = events.pop().unwrap().unwrap_err();
            assert_eq!(error, ModelError::CutOff { request_id: None }, "{kind}");
            assert!(error.is_retryable());
            assert_eq!(events, [Ok(ModelEvent::Text("a".to_owned()))]);
        }
    }
}

#[tokio::test]
async fn a_status_is_an_error_with_its_message_its_wait_and_the_id_of_the_request() {
    let limited = r#"{"error":{"message":"Slow down.","code":"rate_limit_exceeded"}}"#;
    let server = Server::start([
        Response::json(limited)
            .status(429)
            .header("retry-after", "7")
            .header("x-request-id", "req_1"),
        Response::stream("<html>").status(500),
        Response::json(
            r#"{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#,
        )
        .status(503),
        Response::json(
            r#"{"error":{"code":400,"message":"The input exceeds the context window."}}"#,
        )
        .status(400),
    ])
    .await;
    let [chat, gemini] = [chat(&server), gemini(&server)];
    let limited = error(&chat).await;
    assert_eq!(
        limited.to_string(),
        "the provider answered with status 429 (request `req_1`): Slow down."
    );
    assert_eq!(limited.retry_after(), Some(Duration::from_secs(7)));
    for (model, text) in [
        (&chat, "the provider answered with status 500: no message"),
        (
            &gemini,
            "the provider answered with status 503: The model is overloaded.",
        ),
        (
            &gemini,
            "the conversation is too long for the model: The input exceeds the context window.",
        ),
    ] {
        assert_eq!(error(model).await.to_string(), text);
    }
}

#[tokio::test]
async fn a_malformed_event_is_an_error_without_its_text() {
    let begun = text("a");
    for (kind, event, problem) in [
        (
            AdapterKind::OpenAI,
            r#"{"choices": private}"#,
            "an event is not JSON: expected value at line 1 column 13",
        ),
        (
            AdapterKind::Gemini,
            r#"{"candidates": private}"#,
            "an event is not JSON: expected value at line 1 column 16",
        ),
        (
            AdapterKind::Anthropic,
            r#"{"delta":{"private":1}}"#,
            "a part of it is missing or has another type",
        ),
        (
            AdapterKind::Cohere,
            r#"{"is_finished":"private","event_type":"private"}"#,
            "an event has a value of another type",
        ),
    ] {
        let response = match kind {
            AdapterKind::OpenAI => Response::events(&[&begun, event]),
            AdapterKind::Anthropic => {
                Response::stream(format!("event: content_block_delta\ndata: {event}\n\n"))
            }
            AdapterKind::Cohere => Response::stream(format!("{event}\n")),
            _ => Response::events(&[event]),
        };
        let server = Server::start([response]).await;
        let error = error(&model(&server, kind)).await;
        assert_eq!(
            error.to_string(),
            format!("the completion of the model is malformed: {problem}")
        );
        assert!(!error.is_retryable());
    }
    let server = Server::start([Response::stream(b"data: \xff\n\n")]).await;
    let error = error(&chat(&server)).await;
    assert_eq!(
        error.to_string(),
        "the completion of the model is malformed: not UTF-8"
    );
}

#[tokio::test]
async fn an_error_within_a_response_that_began_well_has_its_status() {
    let anthropic =
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    for (kind, response, text) in [
        (
            AdapterKind::OpenAI,
            Response::events(&[
                &text("a"),
                r#"{"error":{"code":502,"message":"Upstream."}}"#,
            ]),
            "the provider answered with status 502: Upstream.",
        ),
        (
            AdapterKind::OpenAI,
            Response::events(&[r#"{"error":"Broken."}"#]),
            "the provider answered with status 500: Broken.",
        ),
        (
            AdapterKind::Gemini,
            Response::events(&[
                &candidate("a"),
                r#"{"error":{"code":503,"message":"Down."}}"#,
            ]),
            "the provider answered with status 503: Down.",
        ),
        (
            AdapterKind::Anthropic,
            Response::stream(format!("event: error\ndata: {anthropic}\n\n")),
            "the provider answered with status 529: Overloaded",
        ),
        (
            AdapterKind::OpenAIResp,
            Response::events(&[
                r#"{"type":"response.failed","response":{"id":"r","model":"m","status":"failed","error":{"message":"Broken."}}}"#,
            ]),
            "the provider answered with status 500: Broken.",
        ),
        (
            AdapterKind::Gemini,
            Response::events(&[
                r#"{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{}}"#,
            ]),
            "the provider refused the request: there is no candidate",
        ),
    ] {
        let server = Server::start([response]).await;
        let error = error(&model(&server, kind)).await;
        assert_eq!(error.to_string(), text);
    }
}

#[tokio::test]
async fn a_key_that_a_server_repeats_is_not_in_the_error() {
    let body = format!(r#"{{"error":"the key {KEY} is wrong"}}"#);
    let responses = [
        Response::json(&body)
            .status(401)
            .header("x-request-id", KEY),
        Response::json(&body).status(401),
        Response::events(&[&body]),
    ];
    let server = Server::start(responses).await;
    for model in [chat(&server), gemini(&server), chat(&server)] {
        let error = error(&model).await;
        let text = format!("{error} {error:?}");
        assert!(
            !text.contains(KEY) && text.contains("the key … is wrong"),
            "{text}"
        );
    }
    // secrets in a header are hidden too
    let options = ::genai::chat::ChatOptions::default()
        .with_extra_headers([("x-team".to_owned(), "Bearer of-the-team".to_owned())]);
    let response = Response::json(r#"{"error":"of-the-team is wrong"}"#).status(403);
    let server = Server::start([response]).await;
    let error = error(&chat(&server).options(options)).await;
    assert_eq!(
        error.to_string(),
        "the provider answered with status 403: … is wrong"
    );
    assert_eq!(
        server.received()[0].header("x-team"),
        Some("Bearer of-the-team")
    );
}

#[tokio::test]
async fn a_server_that_sends_nothing_more_is_a_timeout() {
    let time = Duration::from_millis(300);
    let server = Server::start([
        Response::events(&[&text("a")]).stall(),
        Response::events(&[&candidate("a")]).stall(),
    ])
    .await;
    for model in [chat(&server), gemini(&server)] {
        let error = error(&model.idle_time(time)).await;
        assert_eq!(error, ModelError::Timeout(time));
        assert!(error.is_retryable());
    }
}

#[tokio::test]
async fn the_times_in_the_options_have_precedence() {
    let time = Duration::from_millis(300);
    let server = Server::start([Response::events(&[&text("a")]).stall()]).await;
    let options = ::genai::chat::ChatOptions::default().with_stream_read_timeout(time);
    let error = error(&chat(&server).options(options)).await;
    assert_eq!(error, ModelError::Timeout(time));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_transport_error_with_its_host_alone() {
    let mut target = target(&Server::start([]).await, AdapterKind::OpenAI, "m");
    target.endpoint = Endpoint::from_static("http://127.0.0.1:1/v1/?secret=1");
    assert_not_there(&error(&GenAi::new(target)).await);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Server::start([Response::json("{}")]).await;
    let redirect = Response::json("{}")
        .status(307)
        .header("location", &other.url);
    let server = Server::start([redirect]).await;
    let error = error(&chat(&server)).await;
    assert!(
        matches!(error, ModelError::Status { status: 307, .. }),
        "{error:?}"
    );
    assert!(other.received().is_empty());
}

#[tokio::test]
async fn a_request_that_cannot_be_sent_is_an_error_of_the_stream() {
    let server = Server::start([]).await;
    let mut unset = target(&server, AdapterKind::Gemini, "m");
    unset.auth = AuthData::from_env("SKILL_AGENT_NO_SUCH_KEY");
    let mut with_tools = question();
    with_tools.tools = [tool("add")].into();
    let mut with_fields = question();
    with_fields.options = with_fields.options.extra("top_k", 1);
    for (model, request, problem) in [
        (
            GenAi::new(unset),
            question(),
            "the environment variable `SKILL_AGENT_NO_SUCH_KEY` with the key is not set",
        ),
        (
            model(&server, AdapterKind::Cohere),
            with_tools,
            "the adapter of `genai` for Cohere sends no tools",
        ),
        (
            model(&server, AdapterKind::Ollama),
            with_fields,
            "the adapter of `genai` for Ollama sends no further fields of a body",
        ),
    ] {
        let error = events(&model, request).await.pop().unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the request cannot be sent: {problem}")
        );
    }
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn a_stream_that_is_dropped_leaves_the_server() {
    let server = Server::start([
        Response::events(&[&text("a")]).stall(),
        Response::events(&[&candidate("a")]).stall(),
    ])
    .await;
    for model in [chat(&server), gemini(&server)] {
        let mut stream = model.stream(question());
        let event = stream.next().await.unwrap();
        assert_eq!(event, Ok(ModelEvent::Text("a".to_owned())));
        drop(stream);
        let left = tokio::time::timeout(Duration::from_secs(60), server.left());
        left.await.unwrap();
    }
}
