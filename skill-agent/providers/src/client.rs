//! The clients of HTTP, and their connections.

use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;

use reqwest::{Client, RequestBuilder, Response, Url, redirect};
use tokio::time::Instant;

use super::base_url;
use super::secrets::Secrets;
use super::tls;
use skill_agent_chat::ModelError;

/// How long a server may take to accept a connection.
const CONNECT_TIME: Duration = Duration::from_secs(30);

/// A client for servers with or without TLS. A server may send nothing for `idle_time`.
pub(super) fn client(has_tls: bool, idle_time: Option<Duration>) -> Result<Client, String> {
    let mut builder = Client::builder()
        .user_agent(concat!("skill-agent/", env!("CARGO_PKG_VERSION")))
        // the key would go to wherever the server points
        .redirect(redirect::Policy::none())
        // a small body would become one without bounds, if another crate of the program turns these on
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        .connect_timeout(CONNECT_TIME)
        .tls_backend_preconfigured(tls::config(has_tls)?);
    if let Some(time) = idle_time {
        builder = builder.read_timeout(time);
    }
    builder.build().map_err(|error| chain(&error))
}

/// A connection that fails within this time was closed by the server before the request. Later, the server may have begun to work.
const CLOSED_TIME: Duration = Duration::from_secs(1);

/// Sends a request, and sends it once more if its connection ends at once and before anything of the response has come: a server may
/// close a connection at the moment in which it is used again. llama.cpp closes it after every stream, and does not say so before.
pub(super) async fn sent(request: RequestBuilder) -> reqwest::Result<Response> {
    let again = request.try_clone();
    let begun = Instant::now();
    match (request.send().await, again) {
        (Err(error), Some(again)) if begun.elapsed() < CLOSED_TIME && is_closed(&error) => {
            again.send().await
        }
        (response, _) => response,
    }
}

/// Whether a connection ended before the head of a response.
fn is_closed(error: &reqwest::Error) -> bool {
    for error in sources(error) {
        if let Some(error) = error.downcast_ref::<std::io::Error>() {
            return matches!(
                error.kind(),
                ErrorKind::ConnectionReset | ErrorKind::BrokenPipe
            );
        }
        // its type is one of a crate that reqwest does not show
        if error.to_string() == "connection closed before message completed" {
            return true;
        }
    }
    false
}

/// Whether a server answered the beginning of TLS with something else.
fn is_without_tls(error: &reqwest::Error) -> bool {
    use std::io::Error;
    // one may be within another
    let of_tls = |io: &Error| {
        let within = io.get_ref().and_then(|error| error.downcast_ref());
        matches!(within, Some(rustls::Error::InvalidMessage(_)))
    };
    sources(error).any(|error| {
        let first = error.downcast_ref::<Error>();
        std::iter::successors(first, |io| io.get_ref()?.downcast_ref()).any(of_tls)
    })
}

/// Whether a server answered with something else than HTTP.
fn is_without_http(error: &reqwest::Error) -> bool {
    sources(error).any(|error| error.to_string() == "invalid HTTP version parsed")
}

fn sources(error: &dyn Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |&error| error.source())
}

/// The error of a connection. Of the address it has host and port alone: the rest may have secrets in it.
pub(super) fn transport(
    secrets: &Secrets,
    error: reqwest::Error,
    idle_time: Duration,
) -> ModelError {
    if error.is_timeout() && !error.is_connect() {
        return ModelError::Timeout(idle_time);
    }
    let at = error.url().and_then(host);
    // a provider speaks TLS, and a proxy before it may not
    let is_provider = error
        .url()
        .is_some_and(|url| base_url::is_provider(url.as_str()));
    if let Some(at) = at
        .as_ref()
        .filter(|_| !is_provider && is_without_tls(&error))
    {
        let problem = format!("{at} does not speak TLS; write `http://` in the base URL");
        return ModelError::Request(secrets.hide(&problem));
    }
    let hint = if is_without_http(&error) {
        "; it may speak TLS: then write `https://` in the base URL"
    } else {
        ""
    };
    let at = at.map_or_else(String::new, |at| format!(", at {at}"));
    let problem = format!("{}{at}{hint}", chain(&error.without_url()));
    ModelError::Transport(secrets.hide(&problem))
}

fn host(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    let port = url.port_or_known_default()?;
    Some(format!("`{host}:{port}`"))
}

/// An error and its sources.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    for error in sources(error) {
        let next = error.to_string();
        if !text.ends_with(&next) {
            text = format!("{text}: {next}");
        }
    }
    text
}
