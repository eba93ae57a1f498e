//! Connections to MCP servers over HTTP.

#[cfg(feature = "auth")]
use super::auth;
use super::connection::{Connection, Service, open};
use super::requests::Requests;
use super::{ConnectError, McpClient};
use crate::runtime;
use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue};
use reqwest::Url;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpClientTransportConfig,
};
use skill_agent_http::{client, runtime_of};
use skill_agent_server::BoxFuture;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use tokio::runtime::Handle;

/// A connection to an MCP server over HTTP, which `.await` opens. Created by [`McpClient::http`].
#[must_use = "a connection opens with `.await`"]
pub struct OpenHttp {
    url: String,
    access: Access,
    headers: Vec<(String, String)>,
}

/// How the requests get their token.
enum Access {
    /// As the program says. `None` is a server without tokens.
    Fixed(Option<String>),
    #[cfg(feature = "auth")]
    Granted(auth::Grant),
}

impl OpenHttp {
    pub(super) fn new(url: String) -> Self {
        Self {
            url,
            access: Access::Fixed(None),
            headers: Vec::new(),
        }
    }

    /// Sets the token of each request, without the word `Bearer`.
    pub fn bearer_token(mut self, token: impl Into<String>) -> Self {
        self.access = Access::Fixed(Some(token.into()));
        self
    }

    /// Gets a token with the program's own credentials, and another one when it expires or lacks a scope that a call needs.
    /// Overrides `bearer_token` and `sign_in`.
    #[cfg(feature = "auth")]
    pub fn client_credentials(mut self, credentials: auth::ClientCredentials) -> Self {
        self.access = Access::Granted(auth::Grant::Program(credentials));
        self
    }

    /// Lets a person sign in when the server asks for a token. Expired tokens are refreshed. If that is not possible, or if a call
    /// needs another scope, the person is asked again. Overrides `bearer_token` and `client_credentials`.
    #[cfg(feature = "auth")]
    pub fn sign_in(mut self, sign_in: auth::SignIn) -> Self {
        self.access = Access::Granted(auth::Grant::Person(sign_in));
        self
    }

    /// Sets a header of each request, such as the key that a server expects. Errors of requests do not contain its value.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    fn parsed_headers(&self) -> Result<HashMap<HeaderName, HeaderValue>, ConnectError> {
        let has_token = !matches!(self.access, Access::Fixed(None));
        let parsed = |(name, value): &(String, String)| {
            let parsed = HeaderName::try_from(name).ok().zip(secret(value));
            match parsed {
                // a server refuses a request with two of them
                Some((name, _)) if name == AUTHORIZATION && has_token => {
                    Err(ConnectError::TwoTokens)
                }
                parsed => parsed.ok_or_else(|| ConnectError::Header { name: name.clone() }),
            }
        };
        self.headers.iter().map(parsed).collect()
    }

    async fn connect(self) -> Result<McpClient, ConnectError> {
        runtime::check()?;
        let mut url = Url::parse(&self.url).map_err(|_| ConnectError::Address)?;
        let has_tls = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err(ConnectError::Address),
        };
        if !matches!(self.access, Access::Fixed(None)) {
            // a server refuses a request with both a token and a password
            let _ = (url.set_username(""), url.set_password(None));
        }
        let requests = Requests(client(has_tls, None).map_err(ConnectError::Tls)?);
        let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
            .custom_headers(self.parsed_headers()?);
        let host = url.host_str().unwrap_or_default();
        let server = format!("{host}:{}", url.port().unwrap_or_default());
        // a server that sends headers without end cannot block the tasks of the program
        let runtime = runtime_of(&server);
        match self.access {
            Access::Fixed(token) => {
                if token
                    .as_deref()
                    .is_some_and(|token| secret(token).is_none())
                {
                    return Err(ConnectError::Token);
                }
                config.auth_header = token;
                let service = opened(runtime.as_ref(), requests, config).await?;
                Ok(McpClient::new(Connection::over_http(service)))
            }
            #[cfg(feature = "auth")]
            Access::Granted(grant) => {
                let prepared = auth::Tokens::open(grant, url, runtime.clone(), requests);
                let (tokens, requests) = prepared.await?;
                let service = signed_in(&tokens, || {
                    opened(runtime.as_ref(), requests.clone(), config.clone())
                });
                let mut client = McpClient::new(Connection::over_http(service.await?));
                client.tokens = Some(Arc::new(tokens));
                Ok(client)
            }
        }
    }
}

/// Opens a connection whose requests run on the runtime.
async fn opened<C: StreamableHttpClient + Sync>(
    runtime: Option<&Handle>,
    requests: C,
    config: StreamableHttpClientTransportConfig,
) -> Result<Service, ConnectError> {
    let transport = {
        let _entered = runtime.map(Handle::enter);
        StreamableHttpClientTransport::with_client(requests, config)
    };
    // over HTTP, not every change of the list arrives, and a response that is too long is an error by itself
    open(transport, Arc::default(), Arc::default()).await
}

/// Opens a connection, and gets a token when the server asks for one.
#[cfg(feature = "auth")]
async fn signed_in<F: Future<Output = Result<Service, ConnectError>>>(
    tokens: &auth::Tokens,
    opened: impl Fn() -> F,
) -> Result<Service, ConnectError> {
    let mut renewal = tokens.renewal();
    loop {
        match opened().await {
            Err(ConnectError::Unauthorized { challenge }) => {
                if !renewal.renewed(&challenge).await? {
                    return Err(auth::SignInError::not_accepted(&challenge).into());
                }
            }
            opened => return opened,
        }
    }
}

fn secret(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}

impl IntoFuture for OpenHttp {
    type Output = Result<McpClient, ConnectError>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.connect())
    }
}

impl fmt::Debug for OpenHttp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenHttp").finish_non_exhaustive()
    }
}
