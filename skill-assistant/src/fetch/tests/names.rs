use super::*;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Answers with the first address, and with the second one from then on.
fn rebinding(
    first: &'static str,
    second: &'static str,
) -> (impl Fn(&str) -> Vec<IpAddr>, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let answer = move |_: &str| {
        let is_first = count.fetch_add(1, Ordering::SeqCst) == 0;
        ips(&[if is_first { first } else { second }])
    };
    (answer, asked)
}

#[timed_test::test]
async fn a_request_goes_to_the_checked_answer() {
    let server = Server::start_at("127.0.0.2:0", |_| text("checked")).await;
    let port = server.address.port();
    let secret = Server::start_at(&format!("127.0.0.1:{port}"), |_| text("secret")).await;
    let (answer, asked) = rebinding("127.0.0.2", "127.0.0.1");
    let client = with_names(client_of([&server]), answer);
    let url = format!("http://rebind.example:{port}/");

    assert_eq!(get(&client, &url).await.unwrap().text, "checked");
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    assert!(server.requests()[0].contains(&format!("host: rebind.example:{port}\r\n")));

    let error = message(&client, &url).await;
    assert!(
        error.contains("has the address 127.0.0.1, a loopback address"),
        "{error}"
    );
    assert!(secret.requests().is_empty());
}

#[timed_test::test]
async fn the_answer_after_a_redirect_is_checked_too() {
    let server = Server::start_at("127.0.0.2:0", |_| redirect_to("/again")).await;
    let port = server.address.port();
    let secret = Server::start_at(&format!("127.0.0.1:{port}"), |_| text("secret")).await;
    let (answer, asked) = rebinding("127.0.0.2", "127.0.0.1");
    let client = with_names(client_of([&server]), answer);
    let error = message(&client, &format!("http://rebind.example:{port}/")).await;
    assert_eq!(
        error,
        format!(
            "`http://rebind.example:{port}/` redirects to a URL that is not fetched: \
             `http://rebind.example:{port}/again` is refused: the name `rebind.example` has the address \
             127.0.0.1, a loopback address; only public addresses can be fetched"
        )
    );
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    assert!(secret.requests().is_empty());
}

#[timed_test::test]
async fn a_name_with_one_forbidden_address_is_refused() {
    let server = Server::start(|_| text("found")).await;
    let port = server.address.port();
    for (addresses, reason) in [
        (["127.0.0.1", "10.0.0.1"], "10.0.0.1, a private address"),
        (["10.0.0.1", "127.0.0.1"], "10.0.0.1, a private address"),
        (["127.0.0.1", "::1"], "::1, a loopback address"),
        (
            ["127.0.0.1", "64:ff9b::a00:1"],
            "which contains 10.0.0.1, a private address",
        ),
    ] {
        let client = with_names(client_of([&server]), move |_| ips(&addresses));
        let error = message(&client, &format!("http://mixed.example:{port}/")).await;
        assert!(error.contains(reason), "{error}");
    }
    assert!(server.requests().is_empty());
}

#[timed_test::test]
async fn a_name_without_an_address_is_an_error() {
    let client = with_names(FetchClient::new(), |_| Vec::new());
    assert_eq!(
        message(&client, "http://nowhere.example/").await,
        "the name `nowhere.example` has no address: the answer of the DNS is empty; check its spelling"
    );
    struct Broken;
    impl Resolve for Broken {
        fn resolve(&self, _: Name) -> Resolving {
            Box::pin(async { Err(std::io::Error::new(ErrorKind::NotFound, "no such name").into()) })
        }
    }
    let mut client = FetchClient::new();
    client.resolver = Arc::new(Broken);
    assert_eq!(
        message(&client, "http://nowhere.example/").await,
        "the name `nowhere.example` has no address: no such name; check its spelling"
    );
}

/// The system knows this name without the network.
#[timed_test::test]
async fn the_resolver_of_the_system_is_checked() {
    let server = Server::start(|_| text("found")).await;
    let url = format!("http://localhost:{}/", server.address.port());
    let error = message(&FetchClient::new(), &url).await;
    assert!(
        error.contains("the name `localhost` has the address"),
        "{error}"
    );
    assert!(server.requests().is_empty());
}
