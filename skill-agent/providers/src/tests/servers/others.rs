//! Tests of servers without the expected API: pages, redirects, TLS, and other providers' APIs.

use crate::tests::*;

const QUESTION_ABOUT_THE_BASE: &str =
    "answered with a page (`text/html`); check that the base URL is the address of an API";

#[tokio::test]
async fn a_page_is_named_with_its_address() {
    let page = || {
        Response::of(
            "text/html; charset=utf-8",
            "<!DOCTYPE html><html><title>Sign in</title></html>",
        )
    };
    let at = |server: &Server, path: &str| {
        let secret = server.url.replace("http://", "http://user:hidden-pw@");
        OpenAi::new(KEY, "m").base_url(format!("{secret}{path}?token=hidden-2"))
    };
    let server = Server::start([
        page(),
        page().status(404),
        page().status(404),
        page().status(405),
        page().status(502),
    ])
    .await;
    let url = &server.url;
    let completions = "chat/completions";
    for (path, expected) in [
        (
            "/docs",
            format!(
                "the completion of the model is malformed: not JSON: the server at `{url}/docs/{completions}` {QUESTION_ABOUT_THE_BASE}"
            ),
        ),
        (
            "/docs",
            format!(
                "the provider answered with status 404: Sign in; the server at `{url}/docs/{completions}` {QUESTION_ABOUT_THE_BASE}"
            ),
        ),
        (
            "",
            format!(
                "the provider answered with status 404: Sign in; the address was `{url}/{completions}`; the base URL has no path, and most servers have this API below `/v1`; did you mean `{url}/v1`?"
            ),
        ),
        (
            "/docs",
            format!(
                "the provider answered with status 405: Sign in; the server at `{url}/docs/{completions}` {QUESTION_ABOUT_THE_BASE}"
            ),
        ),
        // a busy gateway sends pages too
        (
            "/v1",
            "the provider answered with status 502: Sign in".to_owned(),
        ),
    ] {
        assert_eq!(error(&at(&server, path)).await.to_string(), expected);
    }
    // the content type of a completion does not matter
    let completion = r#"{"choices":[{"message":{"content":"Hi."},"finish_reason":"stop"}]}"#;
    let server = Server::start([Response::of("text/html", completion)]).await;
    let read = collected(events(&open_ai(&server), question()).await);
    assert_eq!(read.text, "Hi.");
}

#[tokio::test]
async fn a_redirect_is_named_with_its_target() {
    let moved = |to: &str, body: &str| {
        Response::of("text/plain", body)
            .status(302)
            .header("location", to)
    };
    let server = Server::start([
        moved("http://127.0.0.1:9/login?back=hidden", ""),
        moved("/api/v1/chat/completions", "Found"),
        moved(&format!("http://127.0.0.1:9/login/{KEY}"), ""),
        Response::of("text/plain", "").status(304),
    ])
    .await;
    let not_followed = "and redirects are not followed; check the base URL";
    for expected in [
        format!("status 302: it leads to `http://127.0.0.1:9/login`, {not_followed}"),
        format!(
            "status 302: Found; it leads to `{}/api/v1/chat/completions`, {not_followed}",
            server.url
        ),
        format!("status 302: it leads to `http://127.0.0.1:9/login/…`, {not_followed}"),
        "status 304: no message".to_owned(),
    ] {
        let error = error(&open_ai(&server)).await;
        assert_eq!(
            error.to_string(),
            format!("the provider answered with {expected}")
        );
        assert!(!error.is_retryable());
    }
}

#[tokio::test]
async fn a_server_without_tls_is_named_and_not_asked_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        while let Ok((mut connection, _)) = listener.accept().await {
            connection.read_u8().await.ok();
            let refused = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";
            connection.write_all(refused).await.ok();
            while connection.read_u8().await.is_ok() {}
        }
    });
    let model = OpenAi::new(KEY, "m").base_url(format!("https://{at}/v1"));
    let refused = error(&model).await;
    assert_eq!(
        refused.to_string(),
        format!(
            "the request cannot be sent: `{at}` does not speak TLS; write `http://` in the base URL"
        )
    );
    assert!(!refused.is_retryable());
}

#[tokio::test]
async fn a_server_with_tls_alone_is_named() {
    // the TLS alert for a malformed record
    let alert = || Response::raw(b"\x15\x03\x01\x00\x02\x02\x46");
    let server = Server::start([alert(), alert()]).await;
    let refused = error(&open_ai(&server)).await.to_string();
    let end = format!(
        "invalid HTTP version parsed, at `{}`; it may speak TLS: then write `https://` in the base URL",
        &server.url[7..]
    );
    assert!(refused.ends_with(&end), "{refused}");
}

#[tokio::test]
async fn the_api_of_another_client_is_named() {
    let chat = r#"{"object":"chat.completion","choices":[{"message":{"content":"Hi."},"finish_reason":"stop"}]}"#;
    let of_responses = r#"{"object":"response","status":"completed","output":[]}"#;
    let message = r#"{"type":"message","role":"assistant","content":[{"type":"text","text":"Hi."}],"stop_reason":"end_turn"}"#;
    let gemini = r#"{"candidates":[{"content":{"parts":[{"text":"Hi."}]}}]}"#;
    let chat_events = [
        r#"{"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}"#,
        "[DONE]",
    ];
    let responses_events = [
        r#"{"type":"response.created","response":{}}"#,
        r#"{"type":"response.output_text.delta","delta":"Hi."}"#,
    ];
    let message_events = [
        r#"{"type":"message_start","message":{"content":[]}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi."}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    let use_chat = "the response has `choices`: it is Chat Completions, use `OpenAi`";
    let use_responses =
        |sign: &str| format!("the response has {sign}: it is Responses, use `OpenAiResponses`");
    let use_anthropic =
        |sign: &str| format!("the response has {sign}: it is Messages, use `Anthropic`");
    for (response, own, hint) in [
        (Response::json(chat), 0, use_chat.to_owned()),
        (Response::events(&chat_events), 0, use_chat.to_owned()),
        (Response::json(of_responses), 1, use_responses("`output`")),
        (Response::events(&responses_events), 1, use_responses("the type `response.created`")),
        (Response::json(message), 2, use_anthropic("`content`")),
        (Response::events(&message_events), 2, use_anthropic("the type `message_start`")),
        (
            Response::json(gemini),
            3,
            "the response has `candidates`: it is the API of Gemini, use `GenAi` of the feature `genai`".to_owned(),
        ),
    ] {
        for other in (0..3).filter(|other| *other != own) {
            let server = Server::start([response.clone()]).await;
            let error = error(&*models(&server)[other]).await;
            assert_eq!(
                error.to_string(),
                format!("the completion of the model is malformed: {hint}"),
                "{other}"
            );
            assert!(!error.is_retryable());
        }
    }
}
