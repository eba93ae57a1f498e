//! The errors of requests over HTTP.

#[cfg(feature = "auth")]
use super::auth::SignInError;
use crate::text::{cleaned, without_paths};
use rmcp::service::ServiceError;
#[cfg(feature = "auth")]
use rmcp::transport::auth::AuthError;
use rmcp::transport::streamable_http_client::{AuthRequiredError, StreamableHttpError};
use rustls::{CertificateError, Error as TlsError};
use skill_agent_http::{Secrets, chain, is_closed, sources, tls_error};
use std::error::Error;

/// Why a response was dropped. The limit is rmcp's.
pub(super) const TOO_LONG: &str = "its response has more than 16 MiB";

/// How rmcp's message begins if a body is JSON, but not of MCP.
const NOT_MCP: &str = "could not parse JSON response as ServerJsonRpcMessage: ";

/// Why a server with another certificate is not used.
const UNTRUSTED: &str = "its certificate is not from an authority that this machine trusts; \
    add that authority to the system's certificates";

/// The error of a request over HTTP.
pub(super) type Failure = StreamableHttpError<reqwest::Error>;

/// Returns the error of a request over HTTP, if that is why something failed.
pub(super) fn of_http<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Failure> {
    let mut errors = std::iter::once(error).chain(sources(error));
    errors.find_map(|error| error.downcast_ref())
}

/// Returns why something failed. If a request over HTTP failed, it is the reason for that, without the name of its transport.
pub(super) fn reason(error: &(dyn Error + 'static)) -> String {
    if let Some(ServiceError::TransportClosed) = error.downcast_ref() {
        return "its connection has closed".to_owned();
    }
    let Some(failure) = of_http(error) else {
        return error.to_string();
    };
    match failure {
        StreamableHttpError::Client(error) => of_request(error),
        StreamableHttpError::UnexpectedContentType(Some(kind)) => {
            format!("it answers with {} instead of MCP", cleaned(kind))
        }
        StreamableHttpError::UnexpectedContentType(None) => {
            "its answer has no content type, so it is not of MCP".to_owned()
        }
        StreamableHttpError::UnexpectedServerResponse(text) => of_response(text),
        StreamableHttpError::AuthRequired(_) => "it asks for another token".to_owned(),
        StreamableHttpError::InsufficientScope(error) => {
            let header = &error.www_authenticate_header;
            error.required_scope.as_deref().map_or_else(
                || format!("it refuses the token: {}", cleaned(&without_paths(header))),
                |scope| format!("the token lacks the scope `{}`", cleaned(scope)),
            )
        }
        #[cfg(feature = "auth")]
        StreamableHttpError::Auth(error) => SignInError::of(error).to_string(),
        other => other.to_string(),
    }
}

/// Returns the challenge of a server that asks for a token, for another one, or for one with more scopes.
pub(super) fn challenge(error: &Failure) -> Option<&str> {
    match error {
        StreamableHttpError::AuthRequired(error) => Some(&error.www_authenticate_header),
        StreamableHttpError::InsufficientScope(error) if error.can_upgrade() => {
            Some(&error.www_authenticate_header)
        }
        // the authorization server no longer knows the client, and no challenge of the MCP server has arrived
        #[cfg(feature = "auth")]
        StreamableHttpError::Auth(AuthError::TokenRefreshFailed(reason))
            if reason.starts_with("Server returned error response") =>
        {
            Some("")
        }
        // another client of the same store has signed in, and this one cannot refresh its tokens
        #[cfg(feature = "auth")]
        StreamableHttpError::Auth(AuthError::InternalError(_)) => Some(""),
        _ => None,
    }
}

/// Returns whether a request is unanswered because its connection or its session has ended.
pub(super) fn is_cut_off(error: &ServiceError) -> bool {
    match error {
        ServiceError::TransportClosed => true,
        error if is_reopened(error) => true,
        error => match of_http(error) {
            Some(StreamableHttpError::Client(error)) => {
                is_closed(error) || error.is_body() || error.is_decode()
            }
            _ => false,
        },
    }
}

/// Returns whether the session has ended, and another request has opened a new one. rmcp has only this text for it.
pub(super) fn is_reopened(error: &ServiceError) -> bool {
    const REOPENED: &str = "streamable HTTP session was re-initialized before the response arrived";
    matches!(error, ServiceError::McpError(error) if error.message == REOPENED)
}

/// Returns whether the response was too long.
pub(super) fn is_too_long(error: &ServiceError) -> bool {
    match error {
        // this client's own error, in place of an event
        ServiceError::McpError(error) => error.message == TOO_LONG,
        error => matches!(
            of_http(error),
            Some(StreamableHttpError::ResponseBodyTooLarge { .. })
        ),
    }
}

/// Returns whether the server has not seen the request, or has refused it.
pub(super) fn is_unsent(error: &Failure) -> bool {
    match error {
        StreamableHttpError::Client(error) => error.is_connect(),
        StreamableHttpError::AuthRequired(_)
        | StreamableHttpError::InsufficientScope(_)
        | StreamableHttpError::SessionExpired => true,
        #[cfg(feature = "auth")]
        StreamableHttpError::Auth(_) => true,
        _ => false,
    }
}

/// Removes the URL and the secrets of a request from an error of rmcp. A refusal without a challenge becomes one with an empty
/// challenge.
pub(super) fn shown(error: Failure, secrets: &Secrets) -> Failure {
    match error {
        StreamableHttpError::Client(error) => StreamableHttpError::Client(error.without_url()),
        StreamableHttpError::UnexpectedServerResponse(text) if text.starts_with("HTTP 401 ") => {
            StreamableHttpError::AuthRequired(AuthRequiredError::new(String::new()))
        }
        StreamableHttpError::UnexpectedServerResponse(text) => {
            StreamableHttpError::UnexpectedServerResponse(secrets.hide(&text).into())
        }
        StreamableHttpError::AuthRequired(mut error) => {
            let challenge = &mut error.www_authenticate_header;
            *challenge = secrets.hide(challenge);
            StreamableHttpError::AuthRequired(error)
        }
        StreamableHttpError::InsufficientScope(mut error) => {
            let challenge = &mut error.www_authenticate_header;
            *challenge = secrets.hide(challenge);
            StreamableHttpError::InsufficientScope(error)
        }
        other => other,
    }
}

/// Returns why a request has no answer.
fn of_request(error: &reqwest::Error) -> String {
    match tls_error(error) {
        Some(TlsError::InvalidMessage(_)) => {
            "it does not speak TLS at this address; write `http://`?".to_owned()
        }
        Some(TlsError::InvalidCertificate(error)) if is_untrusted(error) => UNTRUSTED.to_owned(),
        _ => chain(error),
    }
}

/// Returns whether no known authority has signed a certificate.
fn is_untrusted(error: &CertificateError) -> bool {
    match error {
        CertificateError::UnknownIssuer => true,
        // the name of a certificate that has signed itself, from the crate `webpki`
        CertificateError::Other(error) => format!("{error:?}").contains("CaUsedAsEndEntity"),
        _ => false,
    }
}

/// Returns what is wrong with a response, from the text of rmcp, which begins with the status or with this prefix.
fn of_response(text: &str) -> String {
    // the server may repeat the URL, whose path may contain a key
    let text = &*cleaned(&without_paths(text));
    if let Some(rest) = text.strip_prefix(NOT_MCP) {
        // the message of serde names types
        let body = rest.split_once(": ").map_or(rest, |(_, body)| body);
        return format!("its JSON is not a message of MCP: {body}");
    }
    let Some((status, body)) = text.split_once(':') else {
        return text.to_owned();
    };
    let body = body.trim();
    match status.strip_prefix("HTTP ") {
        Some(code) if code.starts_with('3') => {
            let code = code.split(' ').next().unwrap_or_default();
            format!(
                "it redirects (HTTP {code}), and redirects are not followed; use the final address"
            )
        }
        // a page for people
        Some(_) if body.is_empty() || body.starts_with('<') => format!("it answers with {status}"),
        Some(_) => format!("it answers with {status}: {body}"),
        None => text.to_owned(),
    }
}

/// Returns whether the response is of a server that may not be one of MCP.
pub(super) fn is_of_other_server(error: &Failure) -> bool {
    match error {
        StreamableHttpError::UnexpectedContentType(_) => true,
        StreamableHttpError::UnexpectedServerResponse(text) => [NOT_MCP, "HTTP 404 ", "HTTP 405 "]
            .iter()
            .any(|start| text.starts_with(start)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::OtherError;
    use std::io;
    use std::sync::Arc;

    #[test]
    fn a_reason_has_no_name_of_a_library() {
        let of_other =
            CertificateError::Other(OtherError(Arc::new(io::Error::other("CaUsedAsEndEntity"))));
        assert!(is_untrusted(&CertificateError::UnknownIssuer) && is_untrusted(&of_other));
        assert!(!is_untrusted(&CertificateError::Expired));
        for (text, expected) in [
            (
                "HTTP 403 Forbidden: no entry: ask Bob",
                "it answers with HTTP 403 Forbidden: no entry: ask Bob",
            ),
            (
                "HTTP 400 Bad Request: no \u{1b}[2Jroute https://a.example/hunter2/mcp",
                "it answers with HTTP 400 Bad Request: no [2Jroute https://a.example/…",
            ),
            (
                "HTTP 404 Not Found: <html>Oops",
                "it answers with HTTP 404 Not Found",
            ),
            (
                "invalid www-authenticate header value",
                "invalid www-authenticate header value",
            ),
            (
                "could not parse JSON response as ServerJsonRpcMessage: data did not match any variant of untagged enum \
                 JsonRpcMessage: {\"a\": 1}",
                "its JSON is not a message of MCP: {\"a\": 1}",
            ),
        ] {
            assert_eq!(of_response(text), expected);
        }
    }
}
