//! Requests over a connection, and the errors of connections.

use std::time::Duration;

use reqwest::{RequestBuilder, Response, Url};
use skill_agent_http::{Secrets, chain, is_closed, sources, tls_error};
use tokio::time::Instant;

use crate::http::base_url;
use skill_agent_chat::ModelError;

/// If a connection closes within this time, the server has probably not read the request. If it closes later, the server may
/// already have started to work.
const CLOSED_TIME: Duration = Duration::from_secs(1);

/// Sends a request. If the connection closes immediately, before any response arrives, tries once more. A server may close an idle
/// connection just as the client reuses it. llama.cpp closes its connection after every stream without announcing it.
pub(crate) async fn sent(request: RequestBuilder) -> reqwest::Result<Response> {
    let again = request.try_clone();
    let begun = Instant::now();
    match (request.send().await, again) {
        (Err(error), Some(again)) if begun.elapsed() < CLOSED_TIME && is_closed(&error) => {
            again.send().await
        }
        (response, _) => response,
    }
}

/// Returns whether a server responded to the TLS handshake with something other than TLS.
fn is_without_tls(error: &reqwest::Error) -> bool {
    matches!(tls_error(error), Some(rustls::Error::InvalidMessage(_)))
}

/// Returns whether a server's response is not HTTP.
fn is_without_http(error: &reqwest::Error) -> bool {
    sources(error).any(|error| error.to_string() == "invalid HTTP version parsed")
}

/// Converts a connection error. The result contains only the host and port of the address, because the rest may contain secrets.
pub(crate) fn transport(
    secrets: &Secrets,
    error: reqwest::Error,
    idle_time: Duration,
) -> ModelError {
    if error.is_timeout() && !error.is_connect() {
        return ModelError::Timeout(idle_time);
    }
    let at = error.url().and_then(host);
    // providers always speak TLS, but a proxy in between may not
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
