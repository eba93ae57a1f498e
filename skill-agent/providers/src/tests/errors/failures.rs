//! Tests of responses that are not completions.

use crate::tests::*;

#[tokio::test]
async fn a_status_is_an_error_with_its_message_its_wait_and_the_id_of_the_request() {
    let limited = || {
        Response::json(r#"{"error":{"message":"Slow down.","code":"rate_limit_exceeded"}}"#)
            .status(429)
            .header("retry-after", "7")
            .header("x-request-id", "req_1")
    };
    let failed = || {
        Response::stream("<html>")
            .status(500)
            .header("request-id", "req_2")
    };
    let server = Server::start((0..3).flat_map(|_| [limited(), failed()])).await;
    for model in models(&server) {
        let limited = error(&*model).await;
        assert_eq!(
            limited.to_string(),
            "the provider answered with status 429 (request `req_1`): Slow down."
        );
        assert_eq!(limited.retry_after(), Some(Duration::from_secs(7)));
        assert!(limited.is_retryable());
        let failed = error(&*model).await;
        assert_eq!(
            failed.to_string(),
            "the provider answered with status 500 (request `req_2`): no message"
        );
        assert!(failed.is_retryable() && failed.retry_after().is_none());
    }
}

#[tokio::test]
async fn an_address_without_a_version_is_named_if_the_server_has_nothing_there() {
    let absent = || Response::json(r#"{"detail":"Not Found"}"#).status(404);
    let server = Server::start((0..6).map(|_| absent())).await;
    let url = &server.url;
    let at = |path: &str| {
        format!("the provider answered with status 404: Not Found; the address was `{url}{path}`")
    };
    let most = "most servers have this API below `/v1`; did you mean";
    let bare = |path| {
        format!(
            "{}; the base URL has no path, and {most} `{url}/v1`?",
            at(path)
        )
    };
    let api = format!(
        "{}; the base URL ends in `/api`, and {most} `{url}/v1` or `{url}/api/v1`?",
        at("/api/chat/completions")
    );
    let models: [(Box<dyn ChatModel>, String); 6] = [
        (
            Box::new(OpenAi::new(KEY, "m").base_url(url)),
            bare("/chat/completions"),
        ),
        (
            Box::new(OpenAiResponses::new(KEY, "m").base_url(url)),
            bare("/responses"),
        ),
        (
            Box::new(Anthropic::new(KEY, "m").base_url(url)),
            at("/v1/messages"),
        ),
        (Box::new(open_ai(&server)), at("/v1/chat/completions")),
        (Box::new(responses(&server)), at("/v1/responses")),
        (
            Box::new(OpenAi::new(KEY, "m").base_url(format!("{url}/api"))),
            api,
        ),
    ];
    for (model, expected) in models {
        assert_eq!(error(&*model).await.to_string(), expected);
    }
}

#[tokio::test]
async fn a_stream_that_ends_early_is_cut_off() {
    let begun = |events: &[&str]| {
        let response = Response::events(events).header("request-id", "req_1");
        [response.clone(), response.cut()]
    };
    let chat = begun(&[r#"{"choices":[{"delta":{"content":"a"}}]}"#]);
    let responses = begun(&[r#"{"type":"response.output_text.delta","delta":"a"}"#]);
    let anthropic = begun(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}"#,
    ]);
    let server = Server::start([chat, responses, anthropic].into_iter().flatten()).await;
    for model in models(&server) {
        for _ in 0..2 {
            let mut events = events(&*model, question()).await;
            let error = events.pop().unwrap().unwrap_err();
            assert_eq!(
                error,
                ModelError::CutOff {
                    request_id: Some("req_1".to_owned())
                }
            );
            assert_eq!(events, [Ok(ModelEvent::Text("a".to_owned()))]);
        }
    }
    // a response that is not a stream
    let server = Server::start([Response::json("{").cut()]).await;
    assert!(matches!(
        error(&open_ai(&server)).await,
        ModelError::CutOff { .. }
    ));
}

#[tokio::test]
async fn a_malformed_event_is_named_with_its_place_and_without_its_text() {
    let chat = r#"{"choices":[{"delta":{"content":"a"}}]}"#;
    for (event, problem) in [
        (
            r#"{"choices": private}"#,
            "event 2: not JSON: expected value at line 1 column 13",
        ),
        ("[\"private\"]", "event 2: not an object"),
        (
            r#"{"choices":{"private":1}}"#,
            "event 2: `choices`: expected a list, found an object",
        ),
        (
            r#"{"choices":[{"delta":"private"}]}"#,
            "event 2: `choices[0].delta`: expected an object, found a string",
        ),
    ] {
        let server =
            Server::start([Response::events(&[chat, event]).header("request-id", "r")]).await;
        let mut events = events(&open_ai(&server), question()).await;
        let error = events.pop().unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the completion of the model is malformed (request `r`): {problem}")
        );
        assert_eq!(events.len(), 1);
    }
    for (event, problem) in [
        (
            r#"{"type":"content_block_delta","index":7,"delta":{}}"#,
            "event 1: `index`: expected the number of a block that has begun, found a number",
        ),
        (
            r#"{"type":"content_block_start","index":0}"#,
            "event 1: `content_block`: expected an object, found nothing",
        ),
    ] {
        let server = Server::start([Response::events(&[event])]).await;
        let error = error(&anthropic(&server)).await;
        assert_eq!(
            error.to_string(),
            format!("the completion of the model is malformed: {problem}")
        );
    }
    for (response, problem) in [
        (
            Response::json("<html>"),
            "not JSON: expected value at line 1 column 1",
        ),
        (
            Response::json(r#"{"output":[{"type":"message"}]}"#),
            "`output[0].content`: expected a list, found nothing",
        ),
        (Response::stream(b"data: \xff\n\n"), "event 1: not UTF-8"),
        (
            Response::stream(format!("data: {}", "x".repeat(17 << 20))),
            "event 1: too large",
        ),
    ] {
        let server = Server::start([response]).await;
        let error = error(&responses(&server)).await;
        assert_eq!(
            error.to_string(),
            format!("the completion of the model is malformed: {problem}")
        );
        assert!(!error.is_retryable());
    }
}

#[tokio::test]
async fn an_error_within_a_response_that_began_well_has_its_status() {
    let server = Server::start([
        Response::events(&[r#"{"choices":[{"delta":{"content":"a"}}]}"#, r#"{"error":{"code":502,"message":"Upstream."},"choices":[]}"#]),
        Response::events(&[r#"{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"Slow."}}}"#]),
        Response::stream("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"),
        Response::stream("event: error\ndata: {\"message\":\"Broken.\",\"code\":503}\n\n"),
        Response::json(r#"{"error":{"code":"context_length_exceeded","message":"Too long."}}"#),
    ])
    .await;
    let [chat, responses, anthropic] = models(&server);
    for (model, text) in [
        (&chat, "the provider answered with status 502: Upstream."),
        (&responses, "the provider answered with status 429: Slow."),
        (
            &anthropic,
            "the provider answered with status 529: Overloaded",
        ),
        (&chat, "the provider answered with status 503: Broken."),
        (
            &chat,
            "the conversation is too long for the model: Too long.",
        ),
    ] {
        assert_eq!(error(&**model).await.to_string(), text);
    }
}

#[tokio::test]
async fn a_server_that_sends_nothing_more_is_a_timeout() {
    let time = Duration::from_millis(300);
    let begun = Response::events(&[r#"{"choices":[{"delta":{"content":"a"}}]}"#]);
    let server = Server::start([begun.stall(), Response::json("{").stall()]).await;
    let model = open_ai(&server).idle_time(time);
    for _ in 0..2 {
        let error = error(&model).await;
        assert_eq!(error, ModelError::Timeout(time));
        assert!(error.is_retryable());
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_transport_error_with_its_host_alone() {
    let model = OpenAi::new(KEY, "m").base_url("http://secret:secret@127.0.0.1:1/v1?secret=1");
    assert_not_there(&error(&model).await);
}

#[tokio::test]
async fn a_choice_that_failed_is_an_error_and_its_calls_are_not_run() {
    let error_of_choice = r#""error":{"code":502,"message":"Upstream."}"#;
    let calls =
        r#"{"tool_calls":[{"index":0,"id":"c","function":{"name":"add","arguments":"{}"}}]}"#;
    let named = |key: &str, rest: &str| format!(r#"{{"choices":[{{"{key}":{calls},{rest}}}]}}"#);
    let reason = r#""finish_reason":"error""#;
    for (rest, text) in [
        (
            format!(r#"{reason},{error_of_choice}"#),
            "the provider answered with status 502: Upstream.",
        ),
        (
            format!(r#""finish_reason":"tool_calls",{error_of_choice}"#),
            "the provider answered with status 502: Upstream.",
        ),
        (
            reason.to_owned(),
            "the provider answered with status 500: the completion ended with the reason `error`",
        ),
    ] {
        let server = Server::start([
            Response::events(&[&named("delta", &rest)]),
            Response::json(&named("message", &rest)),
        ])
        .await;
        for _ in 0..2 {
            let mut events = events(&open_ai(&server), question()).await;
            let error = events.pop().unwrap().unwrap_err();
            assert!(error.to_string() == text && error.is_retryable(), "{error}");
            assert!(
                !events
                    .iter()
                    .any(|event| matches!(event, Ok(ModelEvent::Part(_))))
            );
        }
    }
}

#[tokio::test]
async fn a_choice_that_is_not_read_may_fail() {
    let failed = r#"{"choices":[{"index":1,"delta":{},"finish_reason":"error"},{"index":0,"delta":{"content":"a"}}]}"#;
    let end = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let server = Server::start([Response::events(&[failed, end])]).await;
    let completion = collected(events(&open_ai(&server), question()).await);
    assert_eq!(
        (&*completion.text, completion.finish),
        ("a", Some(Finish::Answered))
    );
}

#[tokio::test]
async fn a_request_that_cannot_be_sent_is_an_error_of_the_stream() {
    let model = OpenAi::new(KEY, "m").base_url("localhost");
    assert!(matches!(error(&model).await, ModelError::Request(_)));
}

#[tokio::test]
async fn a_key_that_a_server_repeats_is_not_in_the_error() {
    let body = format!(r#"{{"error":"the key {KEY} is wrong"}}"#);
    let response = || Response::json(&body).status(401);
    let server = Server::start([response(), response(), response()]).await;
    for model in models(&server) {
        let error = error(&*model).await;
        assert_eq!(
            error.to_string(),
            "the provider answered with status 401: the key … is wrong"
        );
        assert!(!format!("{error:?}").contains(KEY) && !error.is_retryable());
    }
}
