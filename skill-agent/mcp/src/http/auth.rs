//! Authenticates the callers of a server over HTTP by bearer tokens.

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, Response, StatusCode, Uri};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use serde_json::json;
use skill_agent_server::__private::catch_async;
use skill_agent_server::BoxFuture;
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::time::timeout;

/// The time limit for checking a token.
const VERIFY_TIME: Duration = Duration::from_secs(10);
/// The path of the document about a protected resource (RFC 9728), before the path of the resource.
const METADATA_PATH: &str = "/.well-known/oauth-protected-resource";

type Verify = dyn Fn(String) -> BoxFuture<'static, Result<Principal, TokenError>> + Send + Sync;

/// Authenticates the callers of a server over HTTP by bearer tokens. For [`Http::auth`](crate::Http::auth) and
/// [`http_per_principal`](crate::http_per_principal).
///
/// ```
/// use skill_agent::mcp::{Auth, Principal, TokenError};
///
/// const RESOURCE: &str = "https://office.example.com/mcp";
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let auth = Auth::new(RESOURCE, |token| async move {
///     // a real program asks its authorization server, or checks the signature of a JWT
///     match token.as_str() {
///         "secret-of-ann" => Ok(Principal::new("ann", [RESOURCE])),
///         _ => Err(TokenError::Invalid),
///     }
/// })?;
/// let auth = auth.authorization_server("https://login.example.com");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Auth {
    resource: Uri,
    /// The resource as the program wrote it.
    text: String,
    authorization_servers: Vec<String>,
    scopes: Vec<String>,
    verify: Arc<Verify>,
}

impl Auth {
    /// Creates authentication for the server with the URL `resource`, such as `https://office.example.com/mcp`. `verify` checks a
    /// token, and returns on whose behalf it calls.
    ///
    /// A token is refused if `resource` is not among its [audiences](Principal::new), so that a token for another server does not
    /// work here.
    ///
    /// # Errors
    /// Returns an error if `resource` is not an absolute URL with the scheme `https` or `http`, or has a fragment.
    pub fn new<F>(
        resource: impl Into<String>,
        verify: impl Fn(String) -> F + Send + Sync + 'static,
    ) -> Result<Self, ResourceError>
    where
        F: Future<Output = Result<Principal, TokenError>> + Send + 'static,
    {
        let text = resource.into();
        let parsed = text.parse().ok();
        let is_web = |uri: &Uri| matches!(uri.scheme_str(), Some("https" | "http"));
        let is_server = |uri: &Uri| is_web(uri) && uri.host().is_some() && !text.contains('#');
        let Some(resource) = parsed.filter(is_server) else {
            return Err(ResourceError { resource: text });
        };
        Ok(Self {
            resource,
            text,
            authorization_servers: Vec::new(),
            scopes: Vec::new(),
            verify: Arc::new(move |token| Box::pin(verify(token))),
        })
    }

    /// Adds an authorization server that issues tokens. Clients read it from the document about the resource.
    #[must_use]
    pub fn authorization_server(mut self, url: impl Into<String>) -> Self {
        self.authorization_servers.push(url.into());
        self
    }

    /// Sets the scopes that each token needs. A token without them is answered with the status 403.
    #[must_use]
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Returns the host of the resource, under which requests may come at any port.
    pub(super) fn host(&self) -> Option<&str> {
        self.resource.host()
    }

    /// Returns the document about the resource, if `path` is its path.
    pub(super) fn metadata(&self, path: &str) -> Option<Answer> {
        let rest = path.strip_prefix(METADATA_PATH)?;
        if !rest.is_empty() && rest != self.path() {
            return None;
        }
        let mut document = json!({
            "resource": self.text,
            "scopes_supported": self.scopes,
            "bearer_methods_supported": ["header"],
        });
        if !self.authorization_servers.is_empty() {
            document["authorization_servers"] = json!(self.authorization_servers);
        }
        let mut answer = answer(StatusCode::OK, document.to_string());
        let json = HeaderValue::from_static("application/json");
        answer.headers_mut().insert(CONTENT_TYPE, json);
        Some(answer)
    }

    fn path(&self) -> &str {
        match self.resource.path() {
            "/" => "",
            path => path,
        }
    }

    /// Checks the token of a request.
    pub(super) async fn principal(&self, headers: &HeaderMap) -> Result<Principal, Answer> {
        let Some(token) = bearer_token(headers) else {
            return Err(self.refusal(StatusCode::UNAUTHORIZED, None));
        };
        let token = token.to_owned();
        let verify = catch_async(Box::pin(async { (self.verify)(token).await }));
        let verified = timeout(VERIFY_TIME, verify).await;
        let principal = match verified {
            Ok(Ok(Ok(principal))) => principal,
            Ok(Ok(Err(TokenError::Invalid))) => return Err(self.invalid("the token is not valid")),
            // a panic has been reported by its hook
            Ok(Ok(Err(TokenError::Unavailable)) | Err(_)) | Err(_) => {
                tracing::warn!("a token of an MCP client could not be checked");
                let text = "the token cannot be checked now";
                return Err(answer(StatusCode::SERVICE_UNAVAILABLE, text));
            }
        };
        if let Some(problem) = principal.problem() {
            return Err(self.invalid(problem));
        }
        if !principal.audiences.contains(&self.text) {
            return Err(self.invalid("the token is for another server"));
        }
        if !self
            .scopes
            .iter()
            .all(|scope| principal.scopes.contains(scope))
        {
            let error = ("insufficient_scope", "the token lacks a scope");
            return Err(self.refusal(StatusCode::FORBIDDEN, Some(error)));
        }
        Ok(principal)
    }

    fn invalid(&self, reason: &'static str) -> Answer {
        self.refusal(StatusCode::UNAUTHORIZED, Some(("invalid_token", reason)))
    }

    /// Creates the response to a request without a token that suffices.
    fn refusal(&self, status: StatusCode, error: Option<(&str, &'static str)>) -> Answer {
        let scheme = self.resource.scheme_str().unwrap_or("https");
        let authority = self.resource.authority();
        let host = authority.map_or("", |authority| authority.as_str());
        let path = self.path();
        let mut challenge =
            format!("Bearer resource_metadata=\"{scheme}://{host}{METADATA_PATH}{path}\"");
        if !self.scopes.is_empty() {
            challenge += &format!(", scope=\"{}\"", self.scopes.join(" "));
        }
        if let Some((code, reason)) = error {
            challenge += &format!(", error=\"{code}\", error_description=\"{reason}\"");
        }
        let reason = error.map_or("a bearer token is needed", |(_, reason)| reason);
        let mut answer = answer(status, reason);
        if let Ok(challenge) = HeaderValue::try_from(challenge) {
            answer.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        answer
    }
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auth")
            .field("resource", &self.text)
            .finish_non_exhaustive()
    }
}

/// Returns the token of a request with exactly one.
fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim_matches(' ');
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

pub(super) type Answer = Response<BoxBody<Bytes, Infallible>>;

pub(super) fn answer(status: StatusCode, text: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(text.into()).boxed());
    *answer.status_mut() = status;
    answer
}

/// The user or service on whose behalf a client calls.
///
/// A layer of your own router can authenticate callers in place of [`Auth`]: it puts a principal into the extensions of each request.
/// The audiences and scopes are then for the layer to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    name: String,
    audiences: Vec<String>,
    scopes: Vec<String>,
    expires_at: Option<SystemTime>,
}

impl Principal {
    /// Creates a principal from the claims of a token: its subject, and the URLs of the servers that it is for. A key of this server
    /// alone has the server's own URL as its audience.
    pub fn new<A: Into<String>>(
        name: impl Into<String>,
        audiences: impl IntoIterator<Item = A>,
    ) -> Self {
        Self {
            name: name.into(),
            audiences: audiences.into_iter().map(Into::into).collect(),
            scopes: Vec::new(),
            expires_at: None,
        }
    }

    /// Sets the scopes of the token, for [`Auth::scopes`].
    #[must_use]
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the end of the token's validity.
    #[must_use]
    pub fn expires_at(mut self, time: SystemTime) -> Self {
        self.expires_at = Some(time);
        self
    }

    /// Returns the name of the user or service. Guards see it as the [principal of the caller](skill_core::Caller::principal).
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns why no request may be made on behalf of the principal.
    pub(super) fn problem(&self) -> Option<&'static str> {
        if self.name.is_empty() {
            Some("the token has no subject")
        } else if self.expires_at.is_some_and(|end| end <= SystemTime::now()) {
            Some("the token has expired")
        } else {
            None
        }
    }
}

/// The error of [`Auth::new`].
#[derive(Debug, thiserror::Error)]
#[error(
    "`{resource}` is not the URL of a server; write one that begins with `https://` or `http://` and has no `#`, such as \
     `https://office.example.com/mcp`"
)]
#[non_exhaustive]
pub struct ResourceError {
    /// The text that is not the URL of a server.
    pub resource: String,
}

/// Why a token was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// The token is unknown, malformed, revoked or has expired. The response has the status 401.
    #[error("the token is not valid")]
    Invalid,
    /// The token cannot be checked now, for example because the authorization server does not answer. The response has the status
    /// 503.
    #[error("the token cannot be checked now")]
    Unavailable,
}
