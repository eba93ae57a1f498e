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

use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationCallback, AuthorizationManager, ClientCredentialsConfig,
};
use std::time::Duration;
use tokio::time::timeout;

/// The time limit for the requests of one step of a sign-in.
const STEP_TIME: Duration = Duration::from_secs(60);

/// The time limit for the person.
const PERSON_TIME: Duration = Duration::from_secs(5 * 60);

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
    fn authorization_server(&self) -> Option<&str> {
        match self {
            Self::Program(credentials) => credentials.authorization_server.as_deref(),
            Self::Person(sign_in) => sign_in.authorization_server.as_deref(),
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

/// The last step of a sign-in.
enum Exchange {
    Secret(ClientCredentialsConfig),
    /// The address of the redirect, which has a code.
    Code(Url),
}

impl Exchange {
    /// Returns what an exchange waits for. A program has no store of its own.
    fn awaits(&self) -> &'static str {
        match self {
            Self::Secret(_) => "the authorization server",
            Self::Code(_) => "the authorization server or the store of credentials",
        }
    }

    /// Gets a token and stores it.
    async fn run(self, manager: &AuthorizationManager) -> Result<(), AuthError> {
        match self {
            Self::Secret(config) => manager.exchange_client_credentials(&config).await?,
            Self::Code(address) => {
                let redirect = AuthorizationCallback::from_redirect_url(address.as_str())?;
                let (code, state) = (&redirect.code, &redirect.csrf_token);
                let issuer = redirect.issuer.as_deref();
                let exchanged = manager.exchange_code_for_token_with_issuer(code, state, issuer);
                exchanged.await?
            }
        };
        Ok(())
    }
}

/// Limits the time of one step, which waits for `awaited`.
async fn within<T, E: Into<SignInError>>(
    awaited: &'static str,
    step: impl Future<Output = Result<T, E>>,
) -> Result<T, SignInError> {
    let ended = timeout(STEP_TIME, step).await;
    ended
        .map_err(|_| SignInError::NoAnswer { awaited })?
        .map_err(Into::into)
}
