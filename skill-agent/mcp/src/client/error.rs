//! The error of a connection.

#[cfg(feature = "auth")]
use super::auth::SignInError;
use super::failure::{TOO_LONG, challenge, of_http, reason};
use crate::text::ending;
use rmcp::service::ClientInitializeError;
use std::error::Error;
use std::time::Duration;

/// The time limit for opening a connection.
pub(super) const OPENING_TIME: Duration = Duration::from_secs(60);

/// The error of a connection to an MCP server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The program of the server cannot be started.
    #[error("the program `{program}` of an MCP server cannot be started: {source}")]
    #[non_exhaustive]
    Program {
        /// The name or path that was to start.
        program: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The address of the server is malformed. The error does not contain it, because it may contain a key.
    #[error("the address of the MCP server is not a URL that begins with `https://` or `http://`")]
    Address,
    /// A header has a character that it cannot contain.
    #[error(
        "the name or the value of the header `{name}` has a character that a header cannot contain, such as a line break"
    )]
    #[non_exhaustive]
    Header {
        /// The name of the header.
        name: String,
    },
    /// The token has a character that a header cannot contain.
    #[error(
        "the token in `bearer_token` has a character that a header cannot contain, such as a line break at its end"
    )]
    Token,
    /// The header `Authorization` is set beside another way to a token.
    #[error(
        "the header `Authorization` and a token are both set, and a server refuses two of them; keep one"
    )]
    TwoTokens,
    /// TLS is not available.
    #[error("TLS is not available: {0}")]
    Tls(String),
    /// The server asks for a token, or for another one.
    #[error(
        "the MCP server asks for a token, or does not accept the one it got; set another one with `bearer_token`, or get one with \
         `client_credentials` or `sign_in` and the feature `mcp-auth`{}", ending(.challenge)
    )]
    #[non_exhaustive]
    Unauthorized {
        /// The header `WWW-Authenticate` of the response, which names the authorization server.
        challenge: String,
    },
    /// The authorization server of the MCP server gave no token.
    #[cfg(feature = "auth")]
    #[error(transparent)]
    SignIn(#[from] SignInError),
    /// The program of the server has ended. A call after a wait starts it again.
    #[error(
        "the program of the MCP server has ended; a call after {} s starts it again{}",
        .wait.as_secs() + 1, .failure.as_ref().map(|failure| format!("; its last start failed: {failure}")).unwrap_or_default()
    )]
    #[non_exhaustive]
    Closed {
        /// The time until a call starts it.
        wait: Duration,
        /// Why its last start failed, if it did.
        failure: Option<String>,
    },
    /// The server did not answer.
    #[error("the MCP server did not answer within {OPENING_TIME:?}")]
    NoAnswer,
    /// The server answered with a line that is too long.
    #[error("the MCP server cannot be used: {TOO_LONG}")]
    TooLong,
    /// The server did not answer as the protocol says.
    #[error("the MCP server did not open the connection: {}", reason_of(.0))]
    Server(#[source] Box<ClientInitializeError>),
}

fn reason_of(error: &ClientInitializeError) -> String {
    match (of_transport(error), error) {
        (Some(error), _) => reason(error),
        (None, ClientInitializeError::LegacyFallbackFailed { fallback, .. }) => {
            fallback.to_string()
        }
        (None, error) => error.to_string(),
    }
}

/// Returns the error of the transport, if that is why the opening failed.
fn of_transport(error: &ClientInitializeError) -> Option<&(dyn Error + 'static)> {
    match error {
        ClientInitializeError::TransportError { error, .. } => Some(&*error.error),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => of_transport(fallback),
        _ => None,
    }
}

impl ConnectError {
    pub(super) fn of(error: ClientInitializeError) -> Self {
        let failure = of_transport(&error).and_then(of_http);
        match failure.and_then(challenge) {
            Some(challenge) => Self::Unauthorized {
                challenge: challenge.to_owned(),
            },
            None => Self::Server(Box::new(error)),
        }
    }
}
