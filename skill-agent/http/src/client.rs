//! Clients whose requests reach only the server they were made for. A proxy sees no request, since it gets only TLS.

use reqwest::{Client, ClientBuilder, NoProxy, Proxy, redirect};
use std::env;
use std::time::Duration;

use crate::{chain, tls};

/// The time limit for establishing a connection.
const CONNECT_TIME: Duration = Duration::from_secs(30);

/// Creates a client for servers with or without TLS. A server may stay silent for `idle_time`, or forever if that is `None`.
///
/// Connections with TLS use the proxy in the environment variables `HTTPS_PROXY` and `ALL_PROXY`, except to the servers in
/// `NO_PROXY`. Connections without TLS use no proxy, because a proxy could read the key in a request.
///
/// # Errors
/// Returns the reason if TLS is not available.
pub fn client(has_tls: bool, idle_time: Option<Duration>) -> Result<Client, String> {
    client_with(proxy(|name| env::var(name).ok()), has_tls, idle_time)
}

/// Creates a builder of clients that use no proxy, follow no redirect and decompress nothing.
///
/// # Errors
/// Returns the reason if TLS is not available.
pub fn builder(has_tls: bool) -> Result<ClientBuilder, String> {
    let builder = Client::builder()
        .user_agent(concat!("skill-agent/", env!("CARGO_PKG_VERSION")))
        // after a redirect, the key could reach any server
        .redirect(redirect::Policy::none())
        // by default, reqwest also uses a proxy without TLS
        .no_proxy()
        // if another crate in the build enables these features, a small body could decompress to any size
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        .connect_timeout(CONNECT_TIME)
        .tls_backend_preconfigured(tls::config(has_tls)?);
    Ok(builder)
}

fn client_with(
    proxy: Option<Proxy>,
    has_tls: bool,
    idle_time: Option<Duration>,
) -> Result<Client, String> {
    let mut builder = builder(has_tls)?;
    if let Some(proxy) = proxy {
        builder = builder.proxy(proxy);
    }
    if let Some(time) = idle_time {
        builder = builder.read_timeout(time);
    }
    builder.build().map_err(|error| chain(&error))
}

/// Returns the proxy for connections with TLS. Reads the same variables as reqwest does by default.
fn proxy(variable: impl Fn(&str) -> Option<String>) -> Option<Proxy> {
    // as in reqwest, a CGI program uses no proxy
    if variable("REQUEST_METHOD").is_some() {
        return None;
    }
    let first = |names: [&str; 2]| names.into_iter().find_map(&variable);
    let urls = [
        first(["HTTPS_PROXY", "https_proxy"]),
        first(["ALL_PROXY", "all_proxy"]),
    ];
    let proxy = urls
        .into_iter()
        .flatten()
        .find_map(|url| Proxy::https(url).ok())?;
    let direct = first(["NO_PROXY", "no_proxy"]);
    Some(proxy.no_proxy(direct.and_then(|hosts| NoProxy::from_string(&hosts))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener};
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;

    /// Answers each connection with the status, and sends the first bytes of each request.
    fn server(status: u16) -> (SocketAddr, Receiver<Vec<u8>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, requests) = channel();
        thread::spawn(move || {
            while let Ok((mut stream, _)) = listener.accept() {
                let mut bytes = [0; 4096];
                let length = stream.read(&mut bytes).unwrap();
                let _ = sender.send(bytes[..length].to_vec());
                let head = format!("HTTP/1.1 {status} Status\r\nConnection: close");
                let _ = stream.write_all(format!("{head}\r\nContent-Length: 0\r\n\r\n").as_bytes());
            }
        });
        (address, requests)
    }

    fn client_of(variables: &[(&str, String)]) -> Client {
        let value = |name: &str| variables.iter().find(|(known, _)| *known == name);
        let proxy = proxy(|name| value(name).map(|(_, value)| value.clone()));
        client_with(proxy, false, None).unwrap()
    }

    #[tokio::test]
    async fn a_proxy_gets_no_request_without_tls() {
        let (proxy, proxied) = server(502);
        let (server, requests) = server(200);
        let url = format!("http://{proxy}");
        let client = client_of(&[
            ("HTTP_PROXY", url.clone()),
            ("http_proxy", url.clone()),
            ("ALL_PROXY", url.clone()),
            ("HTTPS_PROXY", url),
        ]);
        let request = client
            .get(format!("http://{server}/"))
            .bearer_auth("secret");
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert!(requests.recv().unwrap().starts_with(b"GET / "));
        assert!(proxied.try_recv().is_err());
    }

    #[tokio::test]
    async fn a_connection_with_tls_uses_the_proxy_of_the_environment() {
        let (proxy, proxied) = server(502);
        let (server, requests) = server(200);
        let (url, malformed) = (format!("http://{proxy}"), String::new());
        for variables in [
            [
                ("HTTPS_PROXY", url.clone()),
                ("ALL_PROXY", malformed.clone()),
            ],
            [("HTTPS_PROXY", malformed), ("all_proxy", url.clone())],
            [
                ("https_proxy", proxy.to_string()),
                ("no_proxy", "a.example".to_owned()),
            ],
        ] {
            let opened = client_of(&variables).get(format!("https://{server}/"));
            assert!(opened.send().await.is_err());
            let asked = String::from_utf8(proxied.recv().unwrap()).unwrap();
            assert!(asked.starts_with(&format!("CONNECT {server} ")), "{asked}");
        }
        let host = server.ip().to_string();
        for direct in [("NO_PROXY", host), ("REQUEST_METHOD", "GET".to_owned())] {
            let opened = client_of(&[("HTTPS_PROXY", url.clone()), direct]);
            let opened = opened.get(format!("https://{server}/"));
            assert!(opened.send().await.is_err());
            // a handshake of TLS
            assert_eq!(requests.recv().unwrap()[0], 22);
        }
        assert!(proxied.try_recv().is_err());
    }
}
