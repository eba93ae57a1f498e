use super::*;
use std::env;
use std::process::Command;
use std::time::Duration;

/// A server that sends some bytes, and then neither sends nor closes.
async fn silent(after: &'static str) -> (SocketAddr, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            read(&mut stream).await;
            stream.write_all(after.as_bytes()).await.unwrap();
            open.push(stream);
        }
    });
    (address, server)
}

#[timed_test::test]
async fn a_fetch_has_a_time_limit() {
    assert_eq!(FetchClient::new().time_limit, Duration::from_secs(20));
    for sent in [
        "",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nslow",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nslow",
    ] {
        let (address, _server) = silent(sent).await;
        let mut client = FetchClient::new().allow(address);
        client.time_limit = Duration::from_millis(50);
        assert_eq!(
            message(&client, &format!("http://{address}/")).await,
            format!(
                "`http://{address}/` took longer than 50ms; try a smaller page, or try again later"
            )
        );
    }
}

/// The time of each request is short, but all together take too long.
#[timed_test::test]
async fn the_time_limit_includes_redirects_and_names() {
    let (address, _server) = silent("").await;
    let target = format!("http://{address}/");
    let server = Server::start(move |_| redirect_to(&target)).await;
    let mut client = client_of([&server]).allow(address);
    client.time_limit = Duration::from_millis(50);
    let error = message(&client, &server.url()).await;
    assert!(error.contains("took longer than 50ms"), "{error}");

    struct Silent;
    impl Resolve for Silent {
        fn resolve(&self, _: Name) -> Resolving {
            Box::pin(std::future::pending())
        }
    }
    client.resolver = Arc::new(Silent);
    let error = message(&client, "http://slow.example/").await;
    assert!(error.contains("took longer than 50ms"), "{error}");
}

#[timed_test::test]
async fn a_head_without_an_end_is_refused() {
    for line in ["a: 1\r\n".to_owned(), format!("a: {}", "b".repeat(4096))] {
        let server =
            Server::start(move |_| format!("HTTP/1.1 200 OK\r\n{}", line.repeat(1000))).await;
        let error = message(&client_of([&server]), &server.url()).await;
        let expected = format!("the request to `{}` failed: ", server.url());
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[timed_test::test]
async fn a_response_that_is_not_http_is_an_error() {
    let server = Server::start(|_| "+PONG\r\n").await;
    let error = message(&client_of([&server]), &server.url()).await;
    assert!(error.contains("invalid HTTP version parsed"), "{error}");
}

#[timed_test::test]
async fn a_closed_port_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let client = FetchClient::new().allow(address);
    let error = message(&client, &format!("http://{address}/")).await;
    assert!(error.contains("Connection refused"), "{error}");
}

/// Runs itself in a process with a proxy in its environment.
#[timed_test::test]
async fn a_proxy_of_the_environment_is_not_used() {
    const NAME: &str = "fetch::tests::limits::a_proxy_of_the_environment_is_not_used";
    let server = Server::start(|_| text("direct")).await;
    if env::var_os("HTTP_PROXY").is_some() {
        let client = with_names(client_of([&server]), |_| ips(&["127.0.0.1"]));
        for host in ["127.0.0.1", "direct.example"] {
            let url = format!("http://{host}:{}/", server.address.port());
            assert_eq!(get(&client, &url).await.unwrap().text, "direct");
        }
        // a proxy would get a CONNECT for this connection
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let client = client.allow(address);
        let url = format!("https://direct.example:{}/", address.port());
        let closed = async { drop(listener.accept().await.unwrap()) };
        tokio::join!(message(&client, &url), closed);
        return;
    }
    let proxy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", proxy.local_addr().unwrap());
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", NAME])
        .env("NO_PROXY", "")
        .env_remove("REQUEST_METHOD");
    for variable in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        command
            .env(variable, &url)
            .env(variable.to_lowercase(), &url);
    }
    let output = command.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && printed.contains("1 passed"),
        "{printed}"
    );
    proxy.set_nonblocking(true).unwrap();
    proxy.accept().unwrap_err();
}
