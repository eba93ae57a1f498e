//! The errors of sign-ins.

use super::{PERSON_TIME, STEP_TIME};
use crate::text::{cleaned, ending, without_paths};
use rmcp::transport::auth::{AuthError, ProtectedResourceMetadataInvalidReason};
use serde_json::Value;
use skill_agent_http::chain;
use std::error::Error;
use std::sync::Arc;

/// The error of a sign-in to an MCP server. It contains no token and no secret.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignInError {
    /// The authorization server cannot be found, or cannot be used.
    #[error("the authorization server of the MCP server cannot be used: {reason}")]
    #[non_exhaustive]
    Discovery {
        /// The problem with its address, its documents or its responses.
        reason: String,
    },
    /// The MCP server, or a document, names another authorization server than the expected one. The secret was not sent.
    #[error(
        "the MCP server names the authorization server `{found}`, but `{expected}` was expected; if you trust it, pass its URL to `authorization_server`"
    )]
    #[non_exhaustive]
    AuthorizationServer {
        /// The expected authorization server.
        expected: String,
        /// The other one.
        found: String,
    },
    /// The authorization server does not register this program.
    #[error(
        "the authorization server does not register this program: {reason}; register it by hand and pass its id with `SignIn::client`"
    )]
    #[non_exhaustive]
    Registration {
        /// The reason from the authorization server.
        reason: String,
    },
    /// The authorization server refuses the id, the secret or the scopes.
    #[error(
        "the authorization server gave no token: {reason}; check the id, the secret and the scopes"
    )]
    #[non_exhaustive]
    Refused {
        /// The reason from the authorization server.
        reason: String,
    },
    /// The authorization server cannot answer at the moment. It has refused nothing.
    #[error("the authorization server cannot give a token now: {reason}; try again later")]
    #[non_exhaustive]
    Unavailable {
        /// The reason from the authorization server.
        reason: String,
    },
    /// The person did not allow the access.
    #[error("the person did not allow the access: {reason}")]
    #[non_exhaustive]
    Denied {
        /// The reason from the authorization server.
        reason: String,
    },
    /// The redirect URL is malformed.
    #[error(
        "the redirect URL of the sign-in is malformed; it is usually `http://127.0.0.1:PORT/callback`"
    )]
    Redirect,
    /// The program's function did not return the address that the browser was sent to.
    #[error("the redirect has no code; return the address that begins with the redirect URL")]
    Address,
    /// The redirect belongs to another sign-in. It may come from an attacker, so its code was not used.
    #[error("the `state` of the redirect is not the one of this sign-in; sign in again")]
    State,
    /// The program's function failed.
    #[error("the redirect did not arrive: {0}")]
    Browser(#[source] Arc<dyn Error + Send + Sync>),
    /// The person did not sign in in time.
    #[error("the person did not sign in within {PERSON_TIME:?}")]
    NoPerson,
    /// A step of the sign-in got no answer in time.
    #[error("{awaited} did not answer within {STEP_TIME:?}")]
    #[non_exhaustive]
    NoAnswer {
        /// The silent side, such as "the authorization server".
        awaited: &'static str,
    },
    /// The MCP server does not accept the token that the authorization server gave.
    #[error(
        "the MCP server does not accept the token that the authorization server gave; check the scopes and the authorization server{}",
        ending(.challenge)
    )]
    #[non_exhaustive]
    NotAccepted {
        /// The header `WWW-Authenticate` of the response. Its URLs have no paths.
        challenge: String,
    },
    /// The store of credentials failed.
    #[error("the store of credentials failed: {reason}")]
    #[non_exhaustive]
    Store {
        /// The reason from the store.
        reason: String,
    },
}

impl SignInError {
    pub(super) fn discovery(reason: impl Into<String>) -> Self {
        Self::Discovery {
            reason: shown(&reason.into()),
        }
    }

    pub(in crate::client) fn not_accepted(challenge: &str) -> Self {
        Self::NotAccepted {
            challenge: shown(challenge),
        }
    }

    /// Converts the reason of a failed registration. rmcp quotes the response, which may contain a secret.
    fn registration(reason: &str) -> Self {
        let reason = reason.trim_start_matches("Dynamic registration failed: ");
        let reason = reason.trim_start_matches("Registration failed: ");
        let reason = match reason.split_once(": ") {
            Some(("HTTP request error", error)) => error.to_owned(),
            Some(("analyze response error", _)) => "its answer is malformed".to_owned(),
            Some((status, answer)) if status.starts_with("HTTP ") => {
                let answer: Value = serde_json::from_str(answer).unwrap_or_default();
                let parts = ["error", "error_description"].map(|name| answer[name].as_str());
                let parts: Vec<_> = parts.into_iter().flatten().collect();
                if parts.is_empty() {
                    format!("it answers with {status}")
                } else {
                    parts.join(": ")
                }
            }
            _ => reason.to_owned(),
        };
        Self::Registration {
            reason: shown(&reason),
        }
    }

    /// Converts an error of the authorization server by its code.
    pub(super) fn response(code: &str, reason: &str) -> Self {
        let reason = shown(reason);
        match code {
            "server_error" | "temporarily_unavailable" => Self::Unavailable { reason },
            _ => Self::Refused { reason },
        }
    }

    /// Converts the reason of a failed exchange. rmcp quotes a response that it cannot parse, which may contain a token.
    fn exchange(reason: &str) -> Self {
        let answer = reason.split_once("Server returned error response: ");
        match answer {
            Some((_, answer)) => {
                let code = answer.split([':', ' ']).next().unwrap_or_default();
                Self::response(code, answer)
            }
            None if reason.contains("does not support") => Self::Refused {
                reason: shown(reason),
            },
            None if reason.contains("Request failed") => Self::discovery("it did not answer"),
            None => Self::discovery("its answer has no token and no reason"),
        }
    }
}

impl From<AuthError> for SignInError {
    fn from(error: AuthError) -> Self {
        Self::of(&error)
    }
}

impl SignInError {
    /// Converts an error of rmcp, which may contain addresses and quotes.
    pub(in crate::client) fn of(error: &AuthError) -> Self {
        match error {
            AuthError::AuthorizationServerMismatch {
                expected_issuer,
                received_issuer,
            } => Self::AuthorizationServer {
                expected: shown(expected_issuer),
                found: shown(received_issuer),
            },
            AuthError::RegistrationFailed(reason) => Self::registration(reason),
            AuthError::TokenExchangeFailed(reason)
            | AuthError::ClientCredentialsError(reason)
            | AuthError::TokenRefreshFailed(reason)
            | AuthError::TokenRefreshRejected(reason) => Self::exchange(reason),
            AuthError::CredentialStoreError(reason) => Self::Store {
                reason: cleaned(reason),
            },
            AuthError::DiscoveryRequestFailed { url, source } => {
                Self::discovery(format!("{url} cannot be read: {}", chain(&**source)))
            }
            AuthError::ProtectedResourceMetadataInvalid { url, reason } => {
                let reason = match &**reason {
                    ProtectedResourceMetadataInvalidReason::ResourceMismatch {
                        permitted, ..
                    } => format!("is about another server, {permitted}"),
                    ProtectedResourceMetadataInvalidReason::ResourceNotAUrl { .. } => {
                        "is malformed: its `resource` is not a URL".to_owned()
                    }
                    reason => format!("is malformed: {reason}"),
                };
                Self::discovery(format!("the document {url} {reason}"))
            }
            error => Self::discovery(error.to_string()),
        }
    }
}

/// Cleans a text that the other side wrote, or that contains URLs.
pub(super) fn shown(text: &str) -> String {
    cleaned(&without_paths(text))
}
