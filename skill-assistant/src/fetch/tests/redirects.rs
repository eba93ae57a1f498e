use super::super::redirect::Hop;
use super::*;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, LOCATION};

#[timed_test::test]
async fn a_redirect_to_a_forbidden_address_is_refused() {
    let secret = Server::start(|_| text("secret")).await;
    let port = secret.address.port();
    for (location, reason) in [
        (secret.url(), "its host is 127.0.0.1, a loopback address"),
        (
            format!("//127.1:{port}/"),
            "its host is 127.0.0.1, a loopback address",
        ),
        (
            format!(r"\\0x7f.1:{port}\"),
            "its host is 127.0.0.1, a loopback address",
        ),
        (
            format!("http://[::ffff:127.0.0.1]:{port}/"),
            "which contains 127.0.0.1",
        ),
        (
            "http://169.254.169.254/latest/".to_owned(),
            "an address of a cloud's metadata",
        ),
        (
            format!("http://localhost:{port}/"),
            "the name `localhost` has the address 127.0.0.1",
        ),
        (
            format!("http://example.com@127.0.0.1:{port}/"),
            "the URL has a user name or password",
        ),
        (
            "file:///etc/passwd".to_owned(),
            "does not begin with `https://` or `http://`",
        ),
        (
            "gopher://127.0.0.1/".to_owned(),
            "does not begin with `https://` or `http://`",
        ),
        ("http://".to_owned(), "is not a valid URL: empty host"),
        (
            format!("/{}", "a".repeat(8192)),
            "the URL has 8193 bytes, more than the limit of 8192",
        ),
    ] {
        let target = location.clone();
        let server = Server::start(move |_| redirect_to(&target)).await;
        let client = with_names(client_of([&server]), |_| ips(&["127.0.0.1"]));
        let error = message(&client, &server.url()).await;
        let expected = format!(
            "`{}` redirects to a URL that is not fetched: ",
            server.url()
        );
        assert!(error.starts_with(&expected), "{error}");
        assert!(error.contains(reason), "`{location}`: {error}");
    }
    assert!(secret.requests().is_empty());
}

#[timed_test::test]
async fn five_redirects_are_followed() {
    let server = Server::start(|request| {
        let path = request.split(' ').nth(1).unwrap();
        match path.trim_start_matches('/') {
            "0" => text("the end"),
            // a target without a host keeps the one of its URL
            number => redirect_to(&(number.parse::<u8>().unwrap() - 1).to_string()),
        }
    })
    .await;
    let client = client_of([&server]);
    let page = get(&client, &format!("{}5", server.url())).await.unwrap();
    assert_eq!(
        (page.text.as_str(), page.url),
        ("the end", format!("{}0", server.url()))
    );
    assert_eq!(server.requests().len(), 6);

    let url = format!("{}6", server.url());
    assert_eq!(
        message(&client, &url).await,
        format!("`{url}` is redirected more than 5 times; fetch the page that it should lead to")
    );
}

#[timed_test::test]
async fn a_loop_of_redirects_ends() {
    let server = Server::start(|_| redirect_to("/")).await;
    let error = message(&client_of([&server]), &server.url()).await;
    assert!(error.contains("more than 5 times"), "{error}");
    assert_eq!(server.requests().len(), 6);
}

/// The status, the method before, and the method, body and content type after it.
#[timed_test::test]
async fn a_redirect_keeps_the_method_as_browsers_do() {
    for (status, method, after) in [
        (301, Method::Post, "GET"),
        (302, Method::Post, "GET"),
        (303, Method::Post, "GET"),
        (307, Method::Post, "POST"),
        (308, Method::Post, "POST"),
        (301, Method::Head, "HEAD"),
        (303, Method::Head, "HEAD"),
        (307, Method::Get, "GET"),
    ] {
        let server = Server::start(move |request| {
            if request.contains(" /end ") {
                text("")
            } else {
                response(status, "location: /end", "")
            }
        })
        .await;
        let body = (method == Method::Post).then(|| "[1]".to_owned());
        let fetched = client_of([&server])
            .fetch(method, &server.url(), body)
            .await;
        assert_eq!(fetched.unwrap().status, 200);
        let requests = server.requests();
        let last = requests.last().unwrap();
        assert!(
            last.starts_with(&format!("{after} /end HTTP/1.1\r\n")),
            "{status}: {last}"
        );
        let has_body = last.ends_with("\r\n\r\n[1]");
        assert_eq!(has_body, after == "POST", "{status}: {last}");
        assert_eq!(last.contains("content-type"), has_body, "{status}: {last}");
        assert!(!last.contains("referer"), "{last}");
    }
}

#[timed_test::test]
async fn a_redirect_sends_the_body_to_no_other_server() {
    let other = Server::start(|_| text("got it")).await;
    let target = other.url();
    let server = Server::start(move |_| response(307, &format!("location: {target}"), "")).await;
    let client = client_of([&server, &other]);
    let body = Some("private".to_owned());
    let error = client
        .fetch(Method::Post, &server.url(), body)
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "`{}` redirects to a URL that is not fetched: `{}` is on another server, \
             which would get the body; send the body to this URL itself if that is right",
            server.url(),
            other.url()
        )
    );
    assert!(other.requests().is_empty());
    assert_eq!(get(&client, &server.url()).await.unwrap().text, "got it");
}

#[timed_test::test]
async fn a_response_without_a_target_is_the_page() {
    for head in [
        "300 Choices\r\nlocation: /",
        "304 Same\r\nlocation: /",
        "302 Found",
    ] {
        let server = Server::start(move |_| format!("HTTP/1.1 {head}\r\n\r\n")).await;
        let page = get(&client_of([&server]), &server.url()).await.unwrap();
        assert_eq!(page.status.to_string(), head[..3]);
    }
}
/// Without a server, which would need a certificate.
#[test]
fn a_redirect_keeps_tls() {
    for (from, to, is_followed) in [
        ("https://example.com/", "http://example.com/", false),
        ("https://example.com/", "https://example.org/", true),
        ("https://example.com/", "//example.org/", true),
        ("http://example.com/", "https://example.com/", true),
    ] {
        let hop = Hop {
            method: Method::Get,
            url: from.parse().unwrap(),
            body: None,
        };
        let headers = HeaderMap::from_iter([(LOCATION, to.parse().unwrap())]);
        let next = hop.next(StatusCode::FOUND, &headers);
        assert_eq!(next.is_ok(), is_followed, "{from} {to}");
        if let Err(error) = next {
            assert_eq!(
                error.to_string(),
                "`http://example.com/` has no TLS, unlike the URL before; \
                 fetch this URL itself to read it anyway"
            );
        }
    }
}
