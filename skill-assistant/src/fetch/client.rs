//! A client that reaches only public addresses.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT_ENCODING, CONTENT_TYPE};
use reqwest::{Response, Url};
use serde::de::IgnoredAny;
use skill_agent_http::{builder, chain};
use std::fmt::Display;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::lookup_host;
use tokio::time::timeout;

use super::address::{Refusal, refusal};
use super::redirect::Hop;
use super::{FetchError, Method, Page};

/// The time for a fetch, with its redirects and its body.
const TIME_LIMIT: Duration = Duration::from_secs(20);

const REDIRECT_LIMIT: usize = 5;

/// The longest URL, in bytes. A server could put much more into a redirect.
const URL_LIMIT: usize = 8 * 1024;

/// A client for the action `fetch`. It reaches only public addresses, uses no proxy, and keeps no cookies.
///
/// Each request has its own connection, to an address that was checked. A name is looked up once per request, and is refused if
/// any of its addresses is.
pub(crate) struct FetchClient {
    allowed: Vec<SocketAddr>,
    pub(super) resolver: Arc<dyn Resolve>,
    pub(super) time_limit: Duration,
}

impl FetchClient {
    /// Creates a client for public addresses.
    pub(crate) fn new() -> Self {
        Self {
            allowed: Vec::new(),
            resolver: Arc::new(SystemDns),
            time_limit: TIME_LIMIT,
        }
    }

    /// Allows an address that is not public, at one port, such as a server that the program itself has started. A model can
    /// then send it any request.
    #[must_use]
    pub(crate) fn allow(mut self, address: SocketAddr) -> Self {
        self.allowed.push(address);
        self
    }

    /// Fetches a URL, and follows up to five redirects. A POST becomes a GET after a redirect with the status 301, 302 or 303,
    /// as in browsers.
    ///
    /// # Errors
    /// Returns why the URL is refused, or why the request failed. A redirect from HTTPS to HTTP is refused, and so is one that
    /// would send the body to another server.
    pub(crate) async fn fetch(
        &self,
        method: Method,
        url: &str,
        body: Option<String>,
    ) -> Result<Page, FetchError> {
        let fetched = timeout(self.time_limit, self.follow(method, url, body)).await;
        fetched.unwrap_or_else(|_| {
            Err(FetchError::TimedOut {
                url: url.to_owned(),
                limit: self.time_limit,
            })
        })
    }

    async fn follow(
        &self,
        method: Method,
        text: &str,
        body: Option<String>,
    ) -> Result<Page, FetchError> {
        if method != Method::Post && body.is_some() {
            let method = method.into();
            return Err(FetchError::Body { method });
        }
        let url = web_url(text, Url::parse(text))?;
        let mut addresses = self.addresses(text, &url).await?;
        let mut hop = Hop { method, url, body };
        for _ in 0..=REDIRECT_LIMIT {
            let response = send(&hop, addresses).await?;
            let refused = |error| FetchError::Redirect {
                from: hop.url.to_string(),
                error: Box::new(error),
            };
            let next = hop.next(response.status(), response.headers());
            let Some(next) = next.map_err(refused)? else {
                return Page::read(hop.method, response).await;
            };
            let checked = self.addresses(next.url.as_str(), &next.url).await;
            addresses = checked.map_err(refused)?;
            hop = next;
        }
        Err(FetchError::TooManyRedirects {
            url: text.to_owned(),
            limit: REDIRECT_LIMIT,
        })
    }

    /// Returns the checked addresses of a URL's host. `text` is the URL as it was written.
    pub(super) async fn addresses(
        &self,
        text: &str,
        url: &Url,
    ) -> Result<Vec<SocketAddr>, FetchError> {
        let host = url.host_str().unwrap_or_default();
        // both schemes have a default
        let port = url.port_or_known_default().unwrap_or_default();
        if let Ok(ip) = host.trim_matches(['[', ']']).parse() {
            let address = SocketAddr::new(ip, port);
            return match self.refusal(address) {
                Some(refusal) => Err(FetchError::Address {
                    url: text.to_owned(),
                    refusal,
                }),
                None => Ok(vec![address]),
            };
        }
        let addresses = self.look_up(host, port).await;
        let addresses = addresses.map_err(|problem| FetchError::Unknown {
            host: host.to_owned(),
            problem,
        })?;
        if let Some(refusal) = addresses.iter().find_map(|&address| self.refusal(address)) {
            return Err(FetchError::Answer {
                url: text.to_owned(),
                host: host.to_owned(),
                refusal,
            });
        }
        Ok(addresses)
    }

    fn refusal(&self, address: SocketAddr) -> Option<Refusal> {
        let same = |allowed: &SocketAddr| {
            allowed.ip().to_canonical() == address.ip().to_canonical()
                && allowed.port() == address.port()
        };
        if self.allowed.iter().any(same) {
            return None;
        }
        refusal(address.ip())
    }

    async fn look_up(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, String> {
        let name: Name = host.parse().map_err(|_| "it is not a name of the DNS")?;
        let found = self.resolver.resolve(name).await;
        let found = found.map_err(|error| error.to_string())?;
        let found: Vec<_> = found
            .map(|found| SocketAddr::new(found.ip(), port))
            .collect();
        if found.is_empty() {
            return Err("the answer of the DNS is empty".to_owned());
        }
        Ok(found)
    }
}

/// Sends one request, to one of the addresses.
async fn send(hop: &Hop, addresses: Vec<SocketAddr>) -> Result<Response, FetchError> {
    let url = hop.url.as_str();
    // each request has its own client, because only these addresses were checked
    let client = builder(hop.url.scheme() == "https").map_err(|problem| FetchError::Request {
        url: url.to_owned(),
        problem,
    })?;
    let client = client.dns_resolver(Checked(addresses)).http1_only();
    let client = client.build().map_err(failed(url))?;
    let mut request = client.request(hop.method.into(), hop.url.clone());
    request = request.header(ACCEPT_ENCODING, "identity");
    if let Some(body) = &hop.body {
        let is_json = serde_json::from_str::<IgnoredAny>(body).is_ok();
        let content_type = if is_json {
            "application/json"
        } else {
            "text/plain; charset=utf-8"
        };
        request = request
            .header(CONTENT_TYPE, content_type)
            .body(body.clone());
    }
    request.send().await.map_err(failed(url))
}

/// Returns a function that makes an error of reqwest an error of a request to this URL.
pub(super) fn failed(url: &str) -> impl FnOnce(reqwest::Error) -> FetchError {
    |error| FetchError::Request {
        url: url.to_owned(),
        problem: chain(&error.without_url()),
    }
}

/// Returns the URL that was parsed from a text, if it can be fetched.
pub(super) fn web_url(text: &str, parsed: Result<Url, impl Display>) -> Result<Url, FetchError> {
    let length = text.len();
    if length > URL_LIMIT {
        let limit = URL_LIMIT;
        return Err(FetchError::TooLong { length, limit });
    }
    let is_web = |scheme: &str| matches!(scheme, "http" | "https");
    let scheme = text.trim_start().split_once(':');
    let scheme = scheme.map(|(scheme, _)| scheme.to_ascii_lowercase());
    let mut url = match parsed {
        Ok(url) if is_web(url.scheme()) => url,
        Err(error) if scheme.as_deref().is_some_and(is_web) => {
            return Err(FetchError::Invalid {
                url: text.to_owned(),
                problem: error.to_string(),
            });
        }
        _ => {
            return Err(FetchError::Scheme {
                url: text.to_owned(),
            });
        }
    };
    if url.username().is_empty() && url.password().is_none() {
        return Ok(url);
    }
    // these fail only for a URL without a host
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Err(FetchError::UserInfo { url: url.into() })
}

/// The resolver of the system.
struct SystemDns;

impl Resolve for SystemDns {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = lookup_host((name.as_str(), 0)).await?;
            Ok(Box::new(found.collect::<Vec<_>>().into_iter()) as Addrs)
        })
    }
}

/// A resolver with one answer, the addresses that were checked.
struct Checked(Vec<SocketAddr>);

impl Resolve for Checked {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses = self.0.clone().into_iter();
        Box::pin(async move { Ok(Box::new(addresses) as Addrs) })
    }
}
