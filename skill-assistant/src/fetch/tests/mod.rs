//! Fetches from servers on loopback, with a resolver that the test answers for.

mod action;
mod addresses;
mod bodies;
mod limits;
mod names;
mod redirects;
mod reports;
mod spellings;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{FetchClient, FetchError, Method, Page};

/// A server on loopback that closes each connection after its response.
struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server. `respond` gets the request and returns all bytes of the response.
    async fn start<R: Into<Vec<u8>>>(respond: impl Fn(&str) -> R + Send + 'static) -> Self {
        Self::start_at("127.0.0.1:0", respond).await
    }

    async fn start_at<R: Into<Vec<u8>>>(
        address: &str,
        respond: impl Fn(&str) -> R + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let received = requests.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let request = read(&mut stream).await;
                let response = respond(&request).into();
                received.lock().unwrap().push(request);
                // a client that has read enough closes the connection
                let _ = stream.write_all(&response).await;
                let _ = stream.shutdown().await;
            }
        });
        Self { address, requests }
    }

    fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

/// Reads the head of a request, and the body if it has a length.
async fn read(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let mut lines = head.lines();
            let length = lines.find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return text;
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap() == 0 {
            return text;
        }
    }
}

/// A response with a status, headers and a body.
fn response(status: u16, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status} Status\r\n{headers}\r\n\r\n{body}")
}

fn text(body: &str) -> String {
    response(200, "content-type: text/plain", body)
}

fn redirect_to(location: &str) -> String {
    response(302, &format!("location: {location}"), "")
}

/// A resolver that a function answers for.
struct Names<F>(F);

impl<F: Fn(&str) -> Vec<IpAddr> + Send + Sync> Resolve for Names<F> {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.0(name.as_str()).into_iter();
        let found = found.map(|address| SocketAddr::new(address, 0));
        let found: Vec<_> = found.collect();
        Box::pin(async move { Ok(Box::new(found.into_iter()) as Addrs) })
    }
}

fn with_names(
    mut client: FetchClient,
    answer: impl Fn(&str) -> Vec<IpAddr> + Send + Sync + 'static,
) -> FetchClient {
    client.resolver = Arc::new(Names(answer));
    client
}

/// A client that may reach these servers.
fn client_of<const N: usize>(servers: [&Server; N]) -> FetchClient {
    let client = FetchClient::new();
    let client = servers
        .into_iter()
        .fold(client, |client, server| client.allow(server.address));
    with_names(client, |name| panic!("`{name}` was looked up"))
}

fn ips(addresses: &[&str]) -> Vec<IpAddr> {
    let addresses = addresses.iter();
    addresses.map(|address| address.parse().unwrap()).collect()
}

async fn get(client: &FetchClient, url: &str) -> Result<Page, FetchError> {
    client.fetch(Method::Get, url, None).await
}

/// The message of a GET that fails.
async fn message(client: &FetchClient, url: &str) -> String {
    match get(client, url).await {
        Ok(page) => panic!("`{url}` was fetched: {page:?}"),
        Err(error) => error.to_string(),
    }
}
