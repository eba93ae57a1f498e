//! The errors of requests over HTTP.

#[cfg(feature = "auth")]
use super::auth::SignInError;
use crate::text::{cleaned, without_paths};
use rmcp::service::ServiceError;
#[cfg(feature = "auth")]
use rmcp::transport::auth::AuthError;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use skill_agent_http::{chain, sources};
use std::error::Error;

/// Why a response was dropped. The limit is rmcp's.
pub(super) const TOO_LONG: &str = "its response has more than 16 MiB";

/// The error of a request over HTTP.
pub(super) type Failure = StreamableHttpError<reqwest::Error>;

/// Returns the error of a request over HTTP, if that is why something failed.
pub(super) fn of_http<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Failure> {
    let mut errors = std::iter::once(error).chain(sources(error));
    errors.find_map(|error| error.downcast_ref())
}

/// Returns why something failed. If a request over HTTP failed, it is the reason for that, without the name of its transport.
pub(super) fn reason(error: &(dyn Error + 'static)) -> String {
    let Some(failure) = of_http(error) else {
        return error.to_string();
    };
    match failure {
        StreamableHttpError::Client(error) => chain(error),
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

pub(super) fn without_url(error: Failure) -> Failure {
    match error {
        StreamableHttpError::Client(error) => StreamableHttpError::Client(error.without_url()),
        other => other,
    }
}
