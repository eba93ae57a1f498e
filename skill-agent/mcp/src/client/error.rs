//! The error of a connection.

use super::failure;
use rmcp::service::ClientInitializeError;
use std::time::Duration;

/// The time limit for opening a connection.
pub(super) const OPENING_TIME: Duration = Duration::from_secs(60);
/// Why a response was dropped. The limit is rmcp's.
pub(super) const TOO_LONG: &str = "its response has more than 16 MiB";

/// The error of a connection to an MCP server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The program of the server cannot be started.
    #[error("the program `{program}` of an MCP server cannot be started: {source}")]
    #[non_exhaustive]
    Program {
        /// The program.
        program: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The address of the server is malformed. The error does not contain it, because it may contain a key.
    #[error("the address of the MCP server is not a URL that begins with `https://` or `http://`")]
    Address,
    /// A header or the token has a character that a header cannot contain.
    #[error("the header `{name}` for the MCP server is malformed")]
    #[non_exhaustive]
    Header {
        /// The name of the header.
        name: String,
    },
    /// TLS is not available.
    #[error("TLS is not available: {0}")]
    Tls(String),
    /// The server asks for a token, or for another one.
    #[error(
        "the MCP server asks for a token, or does not accept the one in `bearer_token`: {challenge}"
    )]
    #[non_exhaustive]
    Unauthorized {
        /// The header `WWW-Authenticate` of the response, which names the authorization server.
        challenge: String,
    },
    /// The connection has closed, and opens again after a wait.
    #[error("the connection to the MCP server has closed, and opens again after {wait:?}")]
    #[non_exhaustive]
    Closed {
        /// The wait.
        wait: Duration,
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
    match error {
        ClientInitializeError::TransportError { error, .. } => failure::reason_of(&*error.error),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => reason_of(fallback),
        other => other.to_string(),
    }
}

impl ConnectError {
    pub(super) fn of(error: ClientInitializeError) -> Self {
        match error.auth_challenge() {
            Some(challenge) => Self::Unauthorized {
                challenge: challenge.to_owned(),
            },
            None => Self::Server(Box::new(error)),
        }
    }
}
