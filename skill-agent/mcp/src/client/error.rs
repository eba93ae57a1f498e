//! The error of a connection.

#[cfg(feature = "auth")]
use super::auth::SignInError;
use super::failure::{TOO_LONG, challenge, is_of_other_server, of_http, reason};
use crate::RuntimeError;
use crate::text::{cleaned, ending};
use http::HeaderName;
use rmcp::service::ClientInitializeError;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// The time limit for opening a connection.
pub(super) const OPENING_TIME: Duration = Duration::from_secs(60);

/// The error of a connection to an MCP server.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// There is no tokio runtime, or it lacks something.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The program of the server cannot be started.
    #[error("the program `{program}` of an MCP server cannot be started: {source}{}", hint_of(.program, .source))]
    #[non_exhaustive]
    Program {
        /// The name or path that was to start.
        program: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The working directory of the program does not exist.
    #[error("the working directory `{}` of the program `{program}` does not exist", .folder.display())]
    #[non_exhaustive]
    WorkingDirectory {
        /// The name or path of the program.
        program: String,
        /// The path as the program wrote it.
        folder: PathBuf,
    },
    /// The program of the server ended before it answered.
    #[error(
        "the program `{program}` ended with {} before it answered; {}", .status.to_string().replace(": ", " "),
        if .status.success() { "is it an MCP server?" } else { "its standard error may say why" }
    )]
    #[non_exhaustive]
    Ended {
        /// The name or path of the program.
        program: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// The address of the server is malformed. The error does not contain it, because it may contain a key.
    #[error("the address of the MCP server is not a URL that begins with `https://` or `http://`")]
    Address,
    /// A header has a character that it cannot contain.
    #[error("{}", problem_of_header(.name))]
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
        /// The header `WWW-Authenticate` of the response. It names the authorization server. Empty without the header.
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
    /// The connection has closed, and cannot open again.
    #[error("the connection to the MCP server has closed; connect to it again")]
    Disconnected,
    /// The server did not answer.
    #[error("the server did not answer within {OPENING_TIME:?}; is it an MCP server?")]
    NoAnswer,
    /// The server answered with a line that is too long.
    #[error("the MCP server cannot be used: {TOO_LONG}")]
    TooLong,
    /// The server did not answer as the protocol says.
    #[error("the MCP server did not open the connection: {}", reason_of(.0))]
    Server(#[source] Box<ClientInitializeError>),
}

/// Prints the message, since the types of rmcp are long.
impl fmt::Debug for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConnectError({self})")
    }
}

/// Returns the end of the error of a program that cannot be started.
fn hint_of(program: &str, error: &io::Error) -> String {
    let mut words = program.split_whitespace();
    match (error.kind(), words.next(), words.next()) {
        (io::ErrorKind::NotFound, Some(program), Some(argument)) => format!(
            "; if it contains arguments, they are the second parameter: `McpClient::command(\"{program}\", [\"{argument}\", …])`"
        ),
        _ => String::new(),
    }
}

fn problem_of_header(name: &str) -> String {
    let (part, such_as) = match HeaderName::try_from(name) {
        Ok(_) => ("value", ", such as a line break"),
        Err(_) if name.is_empty() => return "the name of a header is empty".to_owned(),
        Err(_) if name.contains(' ') => ("name", ", such as a blank"),
        Err(_) => ("name", ""),
    };
    let name = cleaned(name);
    format!("the {part} of the header `{name}` has a character that it cannot contain{such_as}")
}

fn reason_of(error: &ClientInitializeError) -> String {
    match (of_transport(error), error) {
        (Some(error), _) if of_http(error).is_some_and(is_of_other_server) => format!(
            "{}; is this the address of its MCP endpoint, such as `…/mcp`?",
            reason(error)
        ),
        (Some(error), _) => reason(error),
        (None, ClientInitializeError::ConnectionClosed(_)) => {
            "it closed the connection before it answered".to_owned()
        }
        (None, ClientInitializeError::LegacyFallbackFailed { fallback, .. }) => reason_of(fallback),
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
    /// Returns whether the other side has closed the connection before it answered.
    pub(super) fn is_of_closed(&self) -> bool {
        fn is_closed(error: &ClientInitializeError) -> bool {
            match error {
                ClientInitializeError::ConnectionClosed(_)
                | ClientInitializeError::TransportError { .. } => true,
                ClientInitializeError::LegacyFallbackFailed { fallback, .. } => is_closed(fallback),
                _ => false,
            }
        }
        matches!(self, Self::Server(error) if is_closed(error))
    }

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
