use super::*;
use std::io::ErrorKind;
use std::net::TcpListener;

const LOOPBACK: &str = "127.0.0.1, a loopback address";
const SCHEME: &str = "does not begin with `https://` or `http://`";
const NO_IPV4: &str = "is not a valid URL: invalid IPv4 address";
const NO_IPV6: &str = "is not a valid URL: invalid IPv6 address";
const NO_DOMAIN: &str = "is not a valid URL: invalid international domain name";
const NO_HOST: &str = "is not a valid URL: empty host";
const METADATA: &str = "169.254.169.254, an address of a cloud's metadata";
const METADATA_INSIDE: &str = "which contains 169.254.169.254, an address of a cloud's metadata";
const LOOPBACK_INSIDE: &str = "which contains 127.0.0.1, a loopback address";
const LOCALHOST: &str = "the name `localhost` has the address 127.0.0.1";
const UNSPECIFIED: &str = "0.0.0.0, an unspecified address";

/// URLs that lead to the port of a listener, which gets no connection.
const ON_LOOPBACK: &[(&str, &str)] = &[
    ("http://127.0.0.1:PORT/", LOOPBACK),
    ("https://127.0.0.1:PORT/", LOOPBACK),
    ("HTTP://127.0.0.1:PORT", LOOPBACK),
    (" http://127.0.0.1:PORT/ ", LOOPBACK),
    ("http:127.0.0.1:PORT/", LOOPBACK),
    ("http:/127.0.0.1:PORT/", LOOPBACK),
    ("http:////127.0.0.1:PORT/", LOOPBACK),
    (r"http:\\127.0.0.1:PORT\", LOOPBACK),
    (r"http://127.0.0.1:PORT\@example.com/", LOOPBACK),
    ("http://127.0.0.1:PORT?@example.com/", LOOPBACK),
    ("http://127.0.0.1:PORT#@example.com/", LOOPBACK),
    ("http://127.0.\t0.1:PORT/", LOOPBACK),
    ("http://127.0.0.1:0PORT/", LOOPBACK),
    ("http://@127.0.0.1:PORT/", LOOPBACK),
    ("http://127.0.0.1.:PORT/", LOOPBACK),
    ("http://127.1:PORT/", LOOPBACK),
    ("http://127.0.1:PORT/", LOOPBACK),
    ("http://127.000000.0.1:PORT/", LOOPBACK),
    ("http://2130706433:PORT/", LOOPBACK),
    ("http://2130706433.:PORT/", LOOPBACK),
    ("http://0177.0.0.1:PORT/", LOOPBACK),
    ("http://0177.0.0.01:PORT/", LOOPBACK),
    ("http://0000177.1:PORT/", LOOPBACK),
    ("http://017700000001:PORT/", LOOPBACK),
    ("http://0x7f.0x0.0x0.0x1:PORT/", LOOPBACK),
    ("http://0x7F.1:PORT/", LOOPBACK),
    ("http://0X7f000001:PORT/", LOOPBACK),
    (
        "http://0x7f.0.01.0x0:PORT/",
        "127.0.1.0, a loopback address",
    ),
    ("http://127.0x1:PORT/", LOOPBACK),
    ("http://%31%32%37.0.0.1:PORT/", LOOPBACK),
    ("http://127%2e0%2E0.1:PORT/", LOOPBACK),
    ("http://①②⑦.⓪.⓪.①:PORT/", LOOPBACK),
    ("http://１２７.0.0.1:PORT/", LOOPBACK),
    ("http://127。0。0。1:PORT/", LOOPBACK),
    ("http://127．0｡0．1:PORT/", LOOPBACK),
    ("http://𝟏𝟐𝟕.0.0.1:PORT/", LOOPBACK),
    ("http://127.0.0.\u{ad}1:PORT/", LOOPBACK),
    (
        "http://127.127.127.127:PORT/",
        "127.127.127.127, a loopback address",
    ),
    ("http://0:PORT/", UNSPECIFIED),
    ("http://0.0.0.0:PORT/", UNSPECIFIED),
    ("http://0x0:PORT/", UNSPECIFIED),
    ("http://0.0.0.1:PORT/", "0.0.0.1, a reserved address"),
    ("http://[::]:PORT/", "::, an unspecified address"),
    ("http://[::1]:PORT/", "::1, a loopback address"),
    ("http://[0:0:0:0:0:0:0:1]:PORT/", "::1, a loopback address"),
    ("http://[0000::0001]:PORT/", "::1, a loopback address"),
    ("http://[::127.0.0.1]:PORT/", LOOPBACK_INSIDE),
    ("http://[::ffff:127.0.0.1]:PORT/", LOOPBACK_INSIDE),
    ("http://[::FFFF:7F00:1]:PORT/", LOOPBACK_INSIDE),
    ("http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/", LOOPBACK_INSIDE),
    (
        "http://[::ffff:0.0.0.0]:PORT/",
        "which contains 0.0.0.0, an unspecified address",
    ),
    ("http://localhost:PORT/", LOCALHOST),
    ("http://LOCALHOST:PORT/", LOCALHOST),
    (
        "http://localhost.:PORT/",
        "the name `localhost.` has the address 127.0.0.1",
    ),
    ("http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/", LOCALHOST),
    ("http://l%6fcalhost:PORT/", LOCALHOST),
    (
        "http://login.localhost:PORT/",
        "the name `login.localhost` has the address 127.0.0.1",
    ),
    (
        "http://127.0.0.1.nip.io:PORT/",
        "the name `127.0.0.1.nip.io` has the address 127.0.0.1",
    ),
    (
        "http://example.com@127.0.0.1:PORT/",
        "write `http://127.0.0.1:PORT/`",
    ),
    (
        "http://example.com:80@127.0.0.1:PORT/",
        "write `http://127.0.0.1:PORT/`",
    ),
    (
        "http://:secret@localhost:PORT/",
        "write `http://localhost:PORT/`",
    ),
    (
        "http://example.com%23@127.0.0.1:PORT/",
        "write `http://127.0.0.1:PORT/`",
    ),
    (
        "http://a@b@127.0.0.1:PORT/",
        "write `http://127.0.0.1:PORT/`",
    ),
    (
        "http://127.0.0.1:PORT@example.com/",
        "write `http://example.com/`",
    ),
    ("http://[::1%25lo]:PORT/", NO_IPV6),
    ("http://[::1%lo]:PORT/", NO_IPV6),
    ("http://[0x7f.1]:PORT/", NO_IPV6),
    ("http://[::ffff:0x7f.1]:PORT/", NO_IPV6),
    ("http://127.0.0.1%00.example.com:PORT/", NO_DOMAIN),
    ("http://127.0.0.1%0d%0aHost:PORT/", NO_DOMAIN),
    ("http://0x7f000001.0:PORT/", NO_IPV4),
    ("http://4425673729:PORT/", NO_IPV4),
    ("http://127.0.0.08:PORT/", NO_IPV4),
    ("http://127..0.1:PORT/", NO_IPV4),
    (
        "http://127.0.0.1:PORT:80/",
        "is not a valid URL: invalid port number",
    ),
    ("127.0.0.1:PORT", SCHEME),
    ("//127.0.0.1:PORT/", SCHEME),
    ("localhost:PORT/", SCHEME),
    ("gopher://127.0.0.1:PORT/_GET", SCHEME),
    ("ftp://127.0.0.1:PORT/", SCHEME),
    ("dict://127.0.0.1:PORT/info", SCHEME),
    ("ws://127.0.0.1:PORT/", SCHEME),
    ("url:http://127.0.0.1:PORT/", SCHEME),
];

/// URLs of other addresses.
const ELSEWHERE: &[(&str, &str)] = &[
    ("http://10.0.0.1/", "10.0.0.1, a private address"),
    ("http://012.1/", "10.0.0.1, a private address"),
    ("http://172.16.0.1/", "172.16.0.1, a private address"),
    ("http://192.168.1/", "192.168.0.1, a private address"),
    ("http://3232235777/", "192.168.1.1, a private address"),
    ("http://100.64.0.1/", "100.64.0.1, a shared address"),
    ("http://169.254.169.254/latest/meta-data/", METADATA),
    ("http://2852039166/", METADATA),
    ("http://0xA9FEA9FE/", METADATA),
    ("http://0251.0376.0251.0376/", METADATA),
    ("http://169.254.43518/", METADATA),
    ("http://169.254.1.1/", "169.254.1.1, a link-local address"),
    (
        "http://198.18.0.1/",
        "198.18.0.1, an address for benchmarks",
    ),
    ("http://224.0.0.1/", "224.0.0.1, a multicast address"),
    ("http://240.0.0.1/", "240.0.0.1, a reserved address"),
    (
        "http://255.255.255.255/",
        "255.255.255.255, the broadcast address",
    ),
    (
        "http://4294967295/",
        "255.255.255.255, the broadcast address",
    ),
    ("http://[::ffff:a9fe:a9fe]/", METADATA_INSIDE),
    ("http://[2002:a9fe:a9fe::]/", METADATA_INSIDE),
    (
        "http://[64:ff9b::10.0.0.1]/",
        "which contains 10.0.0.1, a private address",
    ),
    ("http://[64:ff9b:1::a9fe:a9fe]/", METADATA_INSIDE),
    ("http://[2001:0:808:808::80ff:fffe]/", LOOPBACK_INSIDE),
    (
        "http://[2001:0:808:808::f5ff:fffe]/",
        "which contains 10.0.0.1, a private address",
    ),
    (
        "http://[fd00:ec2::254]/",
        "fd00:ec2::254, an address of a cloud's metadata",
    ),
    ("http://[fc00::1]/", "fc00::1, a private address"),
    ("http://[fe80::1]/", "fe80::1, a link-local address"),
    ("http://[fec0::1]/", "fec0::1, a private address"),
    ("http://[ff02::1]/", "ff02::1, a multicast address"),
    ("http://[100::1]/", "100::1, a reserved address"),
    (
        "http://[2001:db8::1]/",
        "2001:db8::1, an address for documentation",
    ),
    ("http://[3fff::1]/", "3fff::1, an address for documentation"),
    ("http://[5f00::1]/", "5f00::1, a reserved address"),
    ("http://metadata.google.internal/", METADATA),
    ("http:///", NO_HOST),
    ("https://", NO_HOST),
    ("http://?a", NO_HOST),
    ("http://./", "the name `.` has no address"),
    ("file:///etc/passwd", SCHEME),
    ("FILE://localhost/etc/passwd", SCHEME),
    ("data:text/plain,a", SCHEME),
    ("blob:http://127.0.0.1/a", SCHEME),
    ("javascript:alert(1)", SCHEME),
    ("view-source:http://127.0.0.1/", SCHEME),
];

fn answer(name: &str) -> Vec<IpAddr> {
    match name.trim_end_matches('.') {
        "localhost" | "login.localhost" | "127.0.0.1.nip.io" => ips(&["127.0.0.1"]),
        "metadata.google.internal" => ips(&["169.254.169.254"]),
        "" => Vec::new(),
        _ => panic!("`{name}` was looked up"),
    }
}

#[timed_test::test]
async fn no_spelling_of_a_forbidden_address_is_reached() {
    let v4 = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = v4.local_addr().unwrap().port();
    // a machine may have no IPv6
    let v6 = TcpListener::bind(("::1", port)).ok();
    let client = with_names(FetchClient::new(), answer);
    for (url, reason) in ON_LOOPBACK.iter().chain(ELSEWHERE) {
        let url = url.replace("PORT", &port.to_string());
        let reason = reason.replace("PORT", &port.to_string());
        let error = message(&client, &url).await;
        assert!(error.contains(&reason), "`{url}`: {error}");
    }
    for listener in [Some(v4), v6].into_iter().flatten() {
        listener.set_nonblocking(true).unwrap();
        let waiting = listener.accept().unwrap_err();
        assert_eq!(waiting.kind(), ErrorKind::WouldBlock);
    }
}

/// The refusals above come from the check, not from a client that reaches nothing.
#[timed_test::test]
async fn an_allowed_address_is_reached_in_each_spelling() {
    let server = Server::start(|_| text("found")).await;
    let client = with_names(FetchClient::new(), answer).allow(server.address);
    let port = server.address.port().to_string();
    let mut count = 0;
    for (url, reason) in ON_LOOPBACK {
        let is_here = reason.contains(LOOPBACK) || reason.ends_with("has the address 127.0.0.1");
        // a machine may have no IPv6
        if !is_here || url.starts_with("https") || url.contains('[') {
            continue;
        }
        let page = get(&client, &url.replace("PORT", &port)).await.unwrap();
        assert_eq!(page.text, "found", "{url}");
        count += 1;
    }
    assert_eq!(server.requests().len(), count);
    assert!(count > 40, "{count}");
}

#[timed_test::test]
async fn another_port_of_an_allowed_address_is_refused() {
    let (server, other) = (
        Server::start(|_| text("found")).await,
        Server::start(|_| text("secret")).await,
    );
    let error = message(&client_of([&server]), &other.url()).await;
    assert_eq!(
        error,
        format!(
            "`{}` is refused: its host is 127.0.0.1, a loopback address; only public addresses can be fetched",
            other.url()
        )
    );
    assert!(other.requests().is_empty());
}

#[timed_test::test]
async fn an_allowed_address_may_be_mapped() {
    let client = client_of([]).allow("127.0.0.1:80".parse().unwrap());
    for (url, is_allowed) in [
        ("http://[::ffff:127.0.0.1]/", true),
        ("http://[::ffff:127.0.0.2]/", false),
        ("http://[64:ff9b::127.0.0.1]/", false),
        ("https://[::ffff:127.0.0.1]/", false),
    ] {
        let addresses = client.addresses(url, &url.parse().unwrap()).await;
        assert_eq!(addresses.is_ok(), is_allowed, "{url}");
    }
}

/// A number with a leading zero is octal for the check and for the connection.
#[timed_test::test]
async fn the_checked_address_is_the_one_of_the_request() {
    let client = client_of([]);
    for (url, address) in [
        ("http://010.8.8.8/", "8.8.8.8:80"),
        ("https://0x08080808/", "8.8.8.8:443"),
        ("http://[64:ff9b::808:808]:81/", "[64:ff9b::808:808]:81"),
    ] {
        let parsed = url.parse().unwrap();
        let addresses = client.addresses(url, &parsed).await.unwrap();
        assert_eq!(addresses, [address.parse().unwrap()]);
    }
}
