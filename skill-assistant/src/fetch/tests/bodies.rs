use super::*;

const MIB: usize = 1024 * 1024;

#[timed_test::test]
async fn a_page_has_a_status_a_type_and_a_text() {
    let server = Server::start(|_| {
        response(
            404,
            "content-type: text/html; charset=utf-8\r\nset-cookie: a=1",
            "<p>Gone</p>",
        )
    })
    .await;
    let client = client_of([&server]);
    for _ in 0..2 {
        let page = get(&client, &server.url()).await.unwrap();
        assert_eq!(
            page,
            Page {
                status: 404,
                url: server.url(),
                content_type: Some("text/html; charset=utf-8".to_owned()),
                text: "<p>Gone</p>".to_owned(),
                note: None,
            }
        );
    }
    let second = &server.requests()[1];
    assert!(second.starts_with("GET / HTTP/1.1\r\n"), "{second}");
    assert!(second.contains("accept-encoding: identity\r\n"), "{second}");
    for header in ["cookie", "referer", "authorization"] {
        assert!(!second.contains(header), "{second}");
    }
}

#[timed_test::test]
async fn a_body_is_read_up_to_the_limit() {
    for (length, is_cut) in [(MIB, false), (MIB + 1, true), (3 * MIB, true)] {
        let server = Server::start(move |_| text(&"a".repeat(length))).await;
        let page = get(&client_of([&server]), &server.url()).await.unwrap();
        assert_eq!(page.text.len(), MIB);
        assert_eq!(
            page.note,
            is_cut.then_some("the text was cut after 1 MiB"),
            "{length}"
        );
    }
}

/// The server would send for ever, and only a client that stops reading ends.
#[timed_test::test]
async fn an_endless_body_is_cut() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        read(&mut stream).await;
        let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
        let chunk = format!("1000\r\n{}\r\n", "a".repeat(4096));
        let mut sent = stream.write_all(head.as_bytes()).await;
        while sent.is_ok() {
            sent = stream.write_all(chunk.as_bytes()).await;
        }
    };
    let client = FetchClient::new().allow(address);
    let url = format!("http://{address}/");
    let (page, ()) = tokio::join!(get(&client, &url), server);
    assert_eq!(page.unwrap().text.len(), MIB);
}

#[timed_test::test]
async fn a_compressed_body_is_refused() {
    // the gzip of an empty text; a bomb has the same head
    const GZIP: &[u8] = &[
        31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    for encoding in [
        "gzip",
        "br",
        "zstd",
        "deflate",
        "x-gzip",
        "gzip, gzip",
        "identity, gzip",
    ] {
        let server = Server::start(move |_| {
            let head = response(
                200,
                &format!("content-type: text/plain\r\ncontent-encoding: {encoding}"),
                "",
            );
            [head.as_bytes(), GZIP].concat()
        })
        .await;
        assert_eq!(
            message(&client_of([&server]), &server.url()).await,
            format!(
                "`{}` is compressed with `{encoding}`, although it was asked for uncompressed",
                server.url()
            )
        );
    }
    let server = Server::start(|_| response(200, "content-encoding: Identity", "plain")).await;
    let page = get(&client_of([&server]), &server.url()).await.unwrap();
    assert_eq!(page.text, "plain");
}

#[timed_test::test]
async fn only_text_is_read() {
    for (content_type, is_read) in [
        ("text/plain", true),
        ("TEXT/HTML;charset=UTF-8", true),
        ("application/json; charset=utf-8", true),
        ("application/problem+json", true),
        ("application/atom+xml", true),
        ("image/svg+xml", true),
        ("application/yaml", true),
        ("image/png", false),
        ("application/pdf", false),
        ("application/octet-stream", false),
        ("application/zip; a=text/plain", false),
        ("", false),
    ] {
        let server =
            Server::start(move |_| response(200, &format!("content-type: {content_type}"), "body"))
                .await;
        let client = client_of([&server]);
        let fetched = get(&client, &server.url()).await;
        assert_eq!(fetched.is_ok(), is_read, "{content_type}");
        if let Err(error) = fetched {
            assert_eq!(
                error.to_string(),
                format!(
                    "`{}` is `{content_type}`, and only text can be fetched",
                    server.url()
                )
            );
        }
        // a HEAD shows the type of everything
        let page = client
            .fetch(Method::Head, &server.url(), None)
            .await
            .unwrap();
        assert_eq!(
            (page.content_type.as_deref(), page.text.as_str()),
            (Some(content_type), "")
        );
    }
}

#[timed_test::test]
async fn a_body_without_a_type_is_text_if_it_looks_like_text() {
    for (body, expected) in [
        (b"caf\xc3\xa9".to_vec(), Ok("caf\u{e9}")),
        (b"caf\xe9".to_vec(), Ok("caf\u{fffd}")),
        (
            b"\x7fELF\0".to_vec(),
            Err("is binary data without a content type, and only text can be fetched"),
        ),
    ] {
        let server =
            Server::start(move |_| [b"HTTP/1.1 200 OK\r\n\r\n", body.as_slice()].concat()).await;
        match (get(&client_of([&server]), &server.url()).await, expected) {
            (Ok(page), Ok(text)) => assert_eq!(page.text, text),
            (Err(error), Err(message)) => assert!(error.to_string().ends_with(message), "{error}"),
            (fetched, _) => panic!("{fetched:?}"),
        }
    }
}

#[timed_test::test]
async fn a_body_that_ends_early_is_an_error() {
    let server = Server::start(|_| response(200, "content-length: 9", "four")).await;
    let error = message(&client_of([&server]), &server.url()).await;
    assert!(error.contains("failed: "), "{error}");
}

#[timed_test::test]
async fn a_post_has_a_type_for_its_body() {
    let server = Server::start(|_| text("ok")).await;
    let client = client_of([&server]);
    for (body, content_type) in [
        (Some(r#"{"a":1}"#), Some("application/json")),
        (Some("a: 1"), Some("text/plain; charset=utf-8")),
        (Some(""), Some("text/plain; charset=utf-8")),
        (None, None),
    ] {
        let body = body.map(str::to_owned);
        client
            .fetch(Method::Post, &server.url(), body.clone())
            .await
            .unwrap();
        let request = server.requests().pop().unwrap();
        assert!(request.starts_with("POST / HTTP/1.1\r\n"), "{request}");
        let sent = request
            .lines()
            .find_map(|line| line.strip_prefix("content-type: "));
        assert_eq!(sent, content_type);
        assert!(
            request.ends_with(&format!("\r\n\r\n{}", body.unwrap_or_default())),
            "{request}"
        );
    }
}
