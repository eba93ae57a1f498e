//! Tests of hostile HTTP responses. Each leads to a typed error or a completion.

use super::*;

pub(super) fn malformed(error: &ModelError, problem: &str) {
    assert!(!error.is_retryable(), "{error}");
    let text = error.to_string();
    let begin = "the completion of the model is malformed";
    assert!(text.starts_with(begin) && text.contains(problem), "{text}");
}

/// Returns each model's error for the response, and the number of requests it sent.
async fn errors_and_requests(response: Response) -> Vec<(ModelError, usize)> {
    let mut errors = Vec::new();
    for index in 0..3 {
        let server = Server::start([response.clone()]).await;
        let error = error(&*models(&server)[index]).await;
        errors.push((error, server.received().len()));
    }
    errors
}

async fn errors(response: Response) -> Vec<ModelError> {
    let errors = errors_and_requests(response).await.into_iter();
    errors.map(|(error, _)| error).collect()
}

#[tokio::test]
async fn bodies_that_are_no_json_are_malformed() {
    let gzip = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03";
    for (response, problem) in [
        (
            Response::of("text/html", "<html>Sign in</html>"),
            "not JSON",
        ),
        (Response::of("text/plain", ""), "not JSON"),
        (Response::json("[]"), "expected"),
        // nothing is decompressed
        (
            Response::of("application/json", gzip).header("content-encoding", "gzip"),
            "not UTF-8",
        ),
        (Response::raw("HTTP/1.1 204 No Content\r\n\r\n"), "not JSON"),
        (
            Response::raw("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{\"choices\":[]}"),
            "not JSON",
        ),
        // a completion without streaming has the size limit of an event
        (
            Response::json(&format!("\"{}\"", "x".repeat(17 << 20))),
            "too large",
        ),
    ] {
        for error in errors(response).await {
            malformed(&error, problem);
        }
    }
}

#[tokio::test]
async fn an_error_that_is_compressed_or_endless_has_its_status() {
    let endless = "x".repeat(1 << 20);
    let begin = format!("{}…", "x".repeat(500));
    for (body, message) in [
        (b"\x1f\x8b\x08\x00".as_slice(), "no message"),
        (endless.as_bytes(), &begin),
    ] {
        let response = Response::of("application/json", body).status(503);
        for error in errors(response.header("content-encoding", "gzip")).await {
            let text = format!("the provider answered with status 503: {message}");
            assert_eq!(error.to_string(), text);
        }
    }
}

#[tokio::test]
async fn what_is_no_http_is_a_failed_connection() {
    let many = "a: b\r\n".repeat(10_000);
    let large = format!("a: {}\r\n", "b".repeat(4 << 20));
    let length = "content-length: 99999999999999999999999\r\n";
    let two = "content-length: 1\r\ncontent-length: 2\r\n";
    let mut sent: Vec<String> = [&*many, &*large, length, two]
        .map(|headers| format!("HTTP/1.1 200 OK\r\n{headers}\r\n{{}}"))
        .into();
    sent.push("SSH-2.0-OpenSSH_9.9\r\n".to_owned());
    sent.push(String::new());
    for bytes in sent {
        for (error, requests) in errors_and_requests(Response::raw(&bytes)).await {
            // if a connection closes at once, it may have been closed before the request
            assert_eq!(requests, if bytes.is_empty() { 2 } else { 1 });
            let begin = &bytes[..bytes.len().min(60)];
            assert!(
                matches!(error, ModelError::Transport(_)),
                "{begin}: {error:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_body_that_is_shorter_than_it_says_is_cut_off() {
    let json = "content-type: application/json\r\n";
    let chunked = "transfer-encoding: chunked\r\n";
    for (headers, body) in [
        ("content-length: 99\r\n", "{}"),
        (chunked, "ffffffffffffffff\r\n{}"),
        (chunked, "fffffffffffffffffffffff\r\n{}"),
        (chunked, "2\r\n{}\r\nno number"),
        (chunked, "-2\r\n{}\r\n"),
    ] {
        let bytes = format!("HTTP/1.1 200 OK\r\n{json}{headers}\r\n{body}");
        for error in errors(Response::raw(bytes)).await {
            assert!(
                matches!(error, ModelError::CutOff { .. }),
                "{body}: {error:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_line_without_end_is_cut_off_below_the_limit_of_an_event() {
    for field in ["data", "event", "id", ""] {
        let line = format!("{field}: {}", "x".repeat(10 << 20));
        for error in errors(Response::stream(line)).await {
            assert!(
                matches!(error, ModelError::CutOff { .. }),
                "{field}: {error:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_part_of_a_secret_that_a_server_repeats_is_not_in_the_error() {
    let id = format!("{}{KEY}", "x".repeat(200 - KEY.len() / 2));
    let body = r#"{"error":{"message":"the token tok-123456789 of tok-123456789-team is wrong"}}"#;
    let response = Response::json(body).status(401).header("x-request-id", &id);
    let server = Server::start([response]).await;
    let model = open_ai(&server).header("authorization", "Token tok-123456789");
    let model = model.header("x-team", "tok-123456789-team");
    let error = error(&model).await;
    let text = error.to_string();
    assert!(text.ends_with("the token … of … is wrong"), "{text}");
    assert!(!text.contains("sk-secret"), "{text}");
}

#[tokio::test]
async fn a_key_that_a_server_divides_or_nests_is_not_in_the_error() {
    let divided = KEY.replace("secret", "sec\nret");
    let spaced = KEY.replace("secret", "s e\r\n\tc\u{200b}ret");
    let nested = KEY.replace("secret", &format!("sec{KEY}ret"));
    let deep = KEY.replace("secret", &format!("sec{nested}ret"));
    for echo in [divided, spaced, nested, deep] {
        let body = json!({ "error": { "message": format!("the key {echo} is wrong") } });
        for error in errors(Response::json(&body.to_string()).status(401)).await {
            let text = error.to_string();
            assert!(text.ends_with("the key … is wrong"), "{text}");
        }
    }
}

#[tokio::test]
async fn no_status_sends_the_key_elsewhere() {
    let other = Server::start([]).await;
    for status in [300, 301, 302, 303, 305, 307, 308] {
        let response = Response::json("{}").status(status);
        let response = response
            .header("location", &other.url)
            .header("refresh", &format!("0; url={}", other.url));
        for error in errors(response).await {
            let is_status =
                matches!(&error, ModelError::Status { status: found, .. } if *found == status);
            assert!(is_status && !error.is_retryable(), "{error:?}");
        }
    }
    assert!(other.received().is_empty() && other.connections() == 0);
}
