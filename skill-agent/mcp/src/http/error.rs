//! Why a server over HTTP does not listen.

use crate::RuntimeError;
use http::Uri;
use std::fmt::Debug;
use std::io;
use std::net::SocketAddr;

/// An address for messages.
const EXAMPLE: &str = "127.0.0.1:4000";

/// The error of [`Http::bind`](crate::Http::bind).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// There is no tokio runtime, or it lacks something.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// Other machines can reach the address, and there is no authentication.
    #[error(
        "`{address}` is not an address of this machine alone, and the server has no authentication; add `.auth(…)`, or bind to \
         `127.0.0.1`"
    )]
    #[non_exhaustive]
    NotLoopback {
        /// The address that other machines can reach.
        address: SocketAddr,
    },
    /// Each principal has a toolbox of its own, and there is no authentication to tell them apart.
    #[error("the server has no authentication, so no request has a principal; add `.auth(…)`")]
    NoPrincipals,
    /// No request can have a host of [`Http::hosts`](crate::Http::hosts), or an origin of [`Http::origins`](crate::Http::origins).
    #[error(transparent)]
    Name(#[from] NameError),
    /// The text is no address, or its host is unknown.
    #[error(
        "`{address}` cannot be resolved: {error}; write a host and a port, such as `{example}`"
    )]
    #[non_exhaustive]
    Unresolved {
        /// The address as the program wrote it.
        address: String,
        /// An address that can be resolved.
        example: String,
        /// The error of the lookup.
        #[source]
        error: io::Error,
    },
    /// The system refuses the address.
    #[error("`{address}` cannot be bound: {}", why(.error))]
    #[non_exhaustive]
    Io {
        /// The address as the program wrote it.
        address: String,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
}

/// No request can have a name that the server waits for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not {kind}; write `{instead}` in `.{method}`")]
#[non_exhaustive]
pub struct NameError {
    /// The name as the program wrote it.
    pub name: String,
    /// A name that works.
    pub instead: String,
    pub(super) kind: &'static str,
    pub(super) method: &'static str,
}

/// Returns an address as the program wrote it.
pub(super) fn text_of(address: &impl Debug) -> String {
    format!("{address:?}").trim_matches('"').to_owned()
}

/// Returns the error for an address that is a URL. Its host would be looked up in vain.
pub(super) fn url_error(address: &str) -> Option<BindError> {
    let (_, rest) = address.split_once("://")?;
    let uri: Option<Uri> = address.parse().ok();
    let has_port = uri.is_some_and(|uri| uri.port().is_some());
    let authority = rest.split(['/', '?', '#']).next();
    Some(BindError::Unresolved {
        address: address.to_owned(),
        example: authority.filter(|_| has_port).unwrap_or(EXAMPLE).to_owned(),
        error: io::Error::new(io::ErrorKind::InvalidInput, "it is a URL"),
    })
}

pub(super) fn unresolved(address: String, error: io::Error) -> BindError {
    BindError::Unresolved {
        address,
        example: EXAMPLE.to_owned(),
        error,
    }
}

fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            "a program already uses the port; stop it, or choose another port".to_owned()
        }
        _ => error.to_string(),
    }
}
