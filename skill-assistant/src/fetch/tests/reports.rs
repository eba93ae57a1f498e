//! Weaknesses that were reported in other fetch tools and filters.

use super::*;

/// CVE-2023-28155 of the package `request` of npm: the filter is lost when a redirect changes the protocol.
#[timed_test::test]
async fn a_redirect_to_another_protocol_is_checked() {
    let secret = Server::start(|_| text("secret")).await;
    let target = format!("https://{}/", secret.address);
    let server = Server::start(move |_| redirect_to(&target)).await;
    let error = message(&client_of([&server]), &server.url()).await;
    assert!(error.contains("127.0.0.1, a loopback address"), "{error}");
    assert!(secret.requests().is_empty());
}

/// CVE-2021-29921 of Python's `ipaddress` and CVE-2021-29922 of Rust's `std`: leading zeros are decimal for the check, and octal
/// for the connection.
#[timed_test::test]
async fn leading_zeros_have_one_meaning() {
    for (url, address) in [
        ("http://012.0.0.1/", "10.0.0.1, a private address"),
        ("http://0254.020.0.1/", "172.16.0.1, a private address"),
        ("http://0300.0250.0.1/", "192.168.0.1, a private address"),
    ] {
        let error = message(&client_of([]), url).await;
        assert!(error.contains(address), "{error}");
    }
    let url = "http://[::ffff:012.0.0.1]/";
    let error = message(&client_of([]), url).await;
    assert!(error.contains("invalid IPv6 address"), "{error}");
}

/// CVE-2024-29415 and CVE-2023-42282 of the package `ip` of npm: these are public for `isPublic`.
#[timed_test::test]
async fn short_forms_are_not_public() {
    for url in [
        "http://0x7f.1/",
        "http://127.1/",
        "http://01200034567/",
        "http://012.1.2.3/",
        "http://000:0:0000::01/",
        "http://[000:0:0000::01]/",
        "http://[::fFFf:127.0.0.1]/",
    ] {
        message(&client_of([]), url).await;
    }
}

/// CVE-2025-27152 of axios: an absolute path replaces the host. A path of ours that looks like a URL stays a path.
#[timed_test::test]
async fn a_path_with_a_url_stays_a_path() {
    let server = Server::start(|_| text("here")).await;
    let url = format!("{}http://169.254.169.254/", server.url());
    get(&client_of([&server]), &url).await.unwrap();
    assert!(server.requests()[0].starts_with("GET /http://169.254.169.254/ HTTP/1.1"));
}

/// CVE-2022-24825 and CVE-2022-29188 of Smokescreen: a dot at the end of a name, and square brackets around it, pass a list of
/// denied hosts.
#[timed_test::test]
async fn brackets_and_dots_change_nothing() {
    let client = with_names(FetchClient::new(), |_| ips(&["127.0.0.1"]));
    for (url, reason) in [
        ("http://[localhost]/", "invalid IPv6 address"),
        ("http://[127.0.0.1]/", "invalid IPv6 address"),
        ("http://localhost./", "127.0.0.1, a loopback address"),
        ("http://localhost../", "127.0.0.1, a loopback address"),
        ("http://127.0.0.1../", "127.0.0.1, a loopback address"),
        ("http://[::1]./", "invalid"),
    ] {
        let error = message(&client, url).await;
        assert!(error.contains(reason), "{url}: {error}");
    }
}

/// CVE-2023-46229 and CVE-2024-3095 of LangChain: a page leads a loader to a local service or to metadata.
#[timed_test::test]
async fn a_page_leads_to_no_metadata() {
    let server =
        Server::start(|_| redirect_to("http://metadata.example/computeMetadata/v1/")).await;
    let client = with_names(client_of([&server]), |_| ips(&["169.254.169.254"]));
    let error = message(&client, &server.url()).await;
    assert!(
        error.contains("169.254.169.254, an address of a cloud's metadata"),
        "{error}"
    );
}

/// A header that a URL injects (reports of `undici` and Python's `urllib`: CVE-2022-31150, CVE-2019-9740).
#[timed_test::test]
async fn a_url_adds_no_header() {
    let server = Server::start(|_| text("here")).await;
    let url = format!("{}a\r\nx-injected: 1\r\n\r\nGET /b", server.url());
    get(&client_of([&server]), &url).await.unwrap();
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert!(!requests[0].contains("\r\nx-injected"), "{}", requests[0]);
}
