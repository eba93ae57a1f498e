//! The clients of HTTP, and their connections.

use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;

use reqwest::{Client, RequestBuilder, Response, Url, redirect};
use tokio::time::Instant;

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
    let mut source = error.source();
    while let Some(error) = source {
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
        source = error.source();
    }
    false
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
    let at = error.url().and_then(host).unwrap_or_default();
    let problem = format!("{}{at}", chain(&error.without_url()));
    ModelError::Transport(secrets.hide(&problem))
}

fn host(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    let port = url.port_or_known_default()?;
    Some(format!(", at `{host}:{port}`"))
}

/// An error and its sources.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let next = error.to_string();
        if !text.ends_with(&next) {
            text = format!("{text}: {next}");
        }
        source = error.source();
    }
    text
}
