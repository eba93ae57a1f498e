//! Tests of secrets in a server's address, and in its last text that is not an event.

use crate::tests::*;

/// Returns the error message of a server that repeats the secrets of the request.
async fn echoed(base: &str, secrets: &[&str]) -> String {
    let body = json!({ "error": { "message": format!("denied: {}", secrets.join(" and ")) } });
    let server = Server::start([Response::json(&body.to_string()).status(401)]).await;
    let model = OpenAi::new("", "m").base_url(base.replace("server", &server.url[7..]));
    let shown = format!("{model:?}");
    assert!(
        !secrets.iter().any(|secret| shown.contains(secret)),
        "{shown}"
    );
    error(&model).await.to_string()
}

#[tokio::test]
async fn a_secret_in_the_address_is_in_no_error() {
    for (base, secrets) in [
        ("http://server/v1?key=hidden-key-1", &["hidden-key-1"][..]),
        (
            "http://server/v1?a=b&sig=hid%2Fden%3D1",
            &["hid/den=1", "hid%2Fden%3D1"],
        ),
        ("http://server/v1?hidden-key-1", &["hidden-key-1"]),
        (
            "http://user:hidden-pw@server/v1",
            &["hidden-pw", "dXNlcjpoaWRkZW4tcHc="],
        ),
        (
            "http://user:hid%2Bden+pw@server/v1",
            &["hid+den+pw", "hid%2Bden+pw", "dXNlcjpoaWQrZGVuK3B3"],
        ),
        (
            "http://user:hid&den=pw@server/v1",
            &["hid&den=pw", "dXNlcjpoaWQmZGVuPXB3"],
        ),
        (
            "http://server/v1?a=b&&sig=hidden%2Fsig",
            &["hidden/sig", "hidden%2Fsig"],
        ),
        (
            "http://hidden-token@server/v1",
            &["hidden-token", "aGlkZGVuLXRva2VuOg=="],
        ),
    ] {
        let expected = vec!["…"; secrets.len()].join(" and ");
        let error = echoed(base, secrets).await;
        assert!(
            error.ends_with(&format!("denied: {expected}")),
            "{base}: {error}"
        );
    }
    // a version is not a secret
    let unknown = r#"{"error":{"message":"no version 2024-10-21"}}"#;
    let server = Server::start([Response::json(unknown).status(400)]).await;
    let model = OpenAi::new("", "m").base_url(format!("{}/v1?api-version=2024-10-21", server.url));
    let error = error(&model).await.to_string();
    assert!(error.ends_with("no version 2024-10-21"), "{error}");
}

#[tokio::test]
async fn the_last_words_of_a_server_are_short_and_without_secrets() {
    let long = "x".repeat(10_000);
    for words in [
        format!("data: the key {KEY} is wrong {long}\n\n"),
        format!("the key {KEY} is wrong\n{}\n", "x".repeat(3_000)),
    ] {
        let server = Server::start([Response::stream(&words)]).await;
        let error = error(&open_ai(&server)).await.to_string();
        assert!(
            error.contains("the key … is wrong") && error.len() < 700,
            "{error}"
        );
    }
}

#[cfg(feature = "genai")]
#[tokio::test]
async fn a_secret_in_the_address_of_genai_is_in_no_error() {
    use ::genai::adapter::AdapterKind;
    use ::genai::resolver::{AuthData, Endpoint};
    use ::genai::{ModelIden, ServiceTarget};

    let body = r#"{"error":{"message":"denied: hidden-pw"}}"#;
    let server = Server::start([Response::json(body).status(401)]).await;
    let base = server.url.replace("http://", "http://user:hidden-pw@");
    let model = crate::GenAi::new(ServiceTarget {
        endpoint: Endpoint::from_owned(format!("{base}/v1/")),
        auth: AuthData::from_single(KEY),
        model: ModelIden::new(AdapterKind::OpenAI, "m"),
    });
    let error = error(&model).await.to_string();
    assert!(error.contains("denied: …"), "{error}");
}
