//! Connections to MCP servers over HTTP.

#[cfg(feature = "auth")]
use super::auth;
use super::connection::{Connection, Opener, Service, open};
use super::requests::Requests;
use super::{ConnectError, McpClient};
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
use std::sync::atomic::AtomicU64;
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

    /// Adds a header to each request, such as the key that a server expects. Its value appears in no error.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    fn parsed_headers(&self) -> Result<HashMap<HeaderName, HeaderValue>, ConnectError> {
        let parsed = |(name, value): &(String, String)| {
            let parsed = HeaderName::try_from(name).ok().zip(secret(value));
            parsed.ok_or_else(|| ConnectError::Header { name: name.clone() })
        };
        self.headers.iter().map(parsed).collect()
    }

    async fn connect(self) -> Result<McpClient, ConnectError> {
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
                    let name = "authorization".to_owned();
                    return Err(ConnectError::Header { name });
                }
                config.auth_header = token;
                let server = HttpServer {
                    requests,
                    config,
                    runtime,
                };
                Ok(McpClient::new(Connection::of(server).await?))
            }
            #[cfg(feature = "auth")]
            Access::Granted(grant) => {
                let opened = auth::Tokens::open(grant, url, runtime.clone(), requests);
                let (tokens, requests) = opened.await?;
                let tokens = Arc::new(tokens);
                let server = HttpServer {
                    requests,
                    config,
                    runtime,
                };
                let server = SignedIn {
                    tokens: Arc::clone(&tokens),
                    server,
                };
                let mut client = McpClient::new(Connection::of(server).await?);
                client.tokens = Some(tokens);
                Ok(client)
            }
        }
    }
}

/// How to open a connection to a server over HTTP.
struct HttpServer<C> {
    requests: C,
    config: StreamableHttpClientTransportConfig,
    /// The runtime of the connections.
    runtime: Option<Handle>,
}

impl<C: StreamableHttpClient + Sync> HttpServer<C> {
    async fn opened(&self, changes: Arc<AtomicU64>) -> Result<Service, ConnectError> {
        let transport = {
            let _entered = self.runtime.as_ref().map(Handle::enter);
            StreamableHttpClientTransport::with_client(self.requests.clone(), self.config.clone())
        };
        open(transport, changes, Arc::default()).await
    }
}

impl Opener for HttpServer<Requests> {
    fn open(&self, changes: Arc<AtomicU64>) -> BoxFuture<'_, Result<Service, ConnectError>> {
        Box::pin(self.opened(changes))
    }
}

/// How to open a connection to a server with an authorization server.
#[cfg(feature = "auth")]
struct SignedIn {
    tokens: Arc<auth::Tokens>,
    server: HttpServer<rmcp::transport::auth::AuthClient<Requests>>,
}

#[cfg(feature = "auth")]
impl Opener for SignedIn {
    /// Signs in when the server asks for a token.
    fn open(&self, changes: Arc<AtomicU64>) -> BoxFuture<'_, Result<Service, ConnectError>> {
        Box::pin(async move {
            let mut renewal = self.tokens.renewal();
            loop {
                match self.server.opened(Arc::clone(&changes)).await {
                    Err(ConnectError::Unauthorized { challenge }) => {
                        if !renewal.renewed(&challenge).await? {
                            return Err(auth::SignInError::not_accepted(&challenge).into());
                        }
                    }
                    opened => return opened,
                }
            }
        })
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
