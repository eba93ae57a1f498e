//! Tokens for MCP servers, by OAuth.

mod credentials;
mod error;
mod requests;
mod sign_in;
mod store;
mod tokens;

pub use credentials::ClientCredentials;
pub use error::SignInError;
pub use sign_in::SignIn;
pub(super) use tokens::{Renewal, Tokens};

use std::time::Duration;
use tokio::time::timeout;

/// The time limit for the requests of one step of a sign-in.
const STEP_TIME: Duration = Duration::from_secs(60);

/// The way to a token.
pub(super) enum Grant {
    Program(ClientCredentials),
    Person(SignIn),
}

impl Grant {
    fn scopes(&self) -> &[String] {
        match self {
            Self::Program(credentials) => &credentials.scopes,
            Self::Person(sign_in) => &sign_in.scopes,
        }
    }

    /// Returns the authorization server that the program has named.
    fn issuer(&self) -> Option<&str> {
        match self {
            Self::Program(credentials) => credentials.issuer.as_deref(),
            Self::Person(sign_in) => sign_in.issuer.as_deref(),
        }
    }

    /// Returns whether the client belongs to one authorization server.
    fn has_client(&self) -> bool {
        match self {
            Self::Program(_) => true,
            Self::Person(sign_in) => sign_in.client.is_some(),
        }
    }
}

/// Limits the time of one step.
async fn within<T, E: Into<SignInError>>(
    step: impl Future<Output = Result<T, E>>,
) -> Result<T, SignInError> {
    let ended = timeout(STEP_TIME, step).await;
    ended
        .map_err(|_| SignInError::NoAnswer)?
        .map_err(Into::into)
}
