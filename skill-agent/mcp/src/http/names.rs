//! Checks the allowed hosts and origins. With one that no request can have, the server would refuse all requests.

use super::error::NameError;
use http::Uri;
use http::uri::Authority;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;

/// Returns the first name that no request can have.
pub(super) fn check(config: &StreamableHttpServerConfig) -> Result<(), NameError> {
    let mut hosts = config.allowed_hosts.iter();
    if let Some(name) = hosts.find(|name| !is_host(name)) {
        return Err(NameError {
            name: name.clone(),
            instead: host_in(name).unwrap_or("office.example.com").to_owned(),
            kind: "a host",
            method: "hosts",
        });
    }
    let mut origins = config.allowed_origins.iter();
    if let Some(name) = origins.find(|name| !is_origin(name)) {
        let host = host_in(name).unwrap_or("office.example.com");
        return Err(NameError {
            name: name.clone(),
            instead: format!("https://{host}"),
            kind: "an origin",
            method: "origins",
        });
    }
    Ok(())
}

/// Returns whether a text is a host, perhaps with a port.
fn is_host(text: &str) -> bool {
    let text = text.trim();
    let is_outside = |c: char| c.is_whitespace() || "/?#@*".contains(c);
    !text.is_empty() && !text.contains(is_outside)
}

/// Returns whether a text is a scheme with a host, perhaps with a port or with `:*` for all ports.
fn is_origin(text: &str) -> bool {
    let text = text.trim();
    if text.eq_ignore_ascii_case("null") {
        return true;
    }
    let (text, of_all_ports) = match text.strip_suffix(":*") {
        Some(text) => (text, true),
        None => (text, false),
    };
    let uri: Result<Uri, _> = text.parse();
    uri.is_ok_and(|uri| {
        let has_host = uri.scheme().is_some() && uri.host().is_some_and(is_host);
        has_host && !(of_all_ports && uri.port().is_some())
    })
}

/// Adds its port to an origin without one. rmcp would accept all ports.
pub(super) fn with_port(origin: String) -> String {
    let uri: Option<Uri> = origin.trim().parse().ok();
    let is_host_alone =
        |authority: &Authority| authority == authority.host() && is_host(authority.host());
    let uri = uri.filter(|uri| uri.authority().is_some_and(is_host_alone));
    match uri.as_ref().and_then(Uri::scheme_str) {
        Some("https") => format!("{}:443", origin.trim()),
        Some("http") => format!("{}:80", origin.trim()),
        _ => origin,
    }
}

/// Returns the host of a URL, or of a URL without its scheme.
fn host_in(text: &str) -> Option<&str> {
    let text = text.trim();
    let text = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = text.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    is_host(host).then_some(host)
}
