//! Serves a toolbox over HTTP, to any number of clients.

mod address;
mod auth;
mod bound;
mod error;
mod names;
mod principals;
mod served;
mod service;
mod sessions;
#[cfg(test)]
mod tests;

pub use address::Address;
pub use auth::{Auth, Principal, ResourceError, TokenError};
pub use bound::BoundHttp;
pub use error::{BindError, NameError};

use crate::handler::MAX_LISTENERS;
use crate::runtime;
use crate::{Handler, IntoHandler, RuntimeError};
use bytes::Bytes;
use error::{text_of, unresolved, url_error};
use http::{Request, Response};
use http_body::Body;
use http_body_util::combinators::BoxBody;
use principals::{Handlers, Principals};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use served::{Serve, serve};
use service::HttpService;
use skill_agent_server::__private::catch_async;
use skill_agent_server::BoxFuture;
use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::{TcpListener, lookup_host};
use tokio_util::sync::CancellationToken;
use tower_service::Service;

/// The default for [`Http::origins`].
const LOCAL_ORIGINS: [&str; 6] = [
    "http://localhost:*",
    "http://127.0.0.1:*",
    "http://[::1]:*",
    "https://localhost:*",
    "https://127.0.0.1:*",
    "https://[::1]:*",
];
/// The default for [`Http::max_sessions`].
const MAX_SESSIONS: usize = 1_000;
/// The default for [`Http::max_principals`].
const MAX_PRINCIPALS: usize = 10_000;

/// Serves a toolbox over HTTP. All clients share the toolbox.
///
/// Without [authentication](Http::auth), the server is for this machine alone. A request whose `Host` is not a loopback name is
/// refused, and so is one with the `Origin` of another machine, so that no web page from elsewhere reaches the server.
///
/// ```
/// use skill_agent::mcp;
/// use skill_agent::toolbox::Toolbox;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let toolbox = Toolbox::builder().build().await?; // or `Toolbox::of(&server)`
/// let http = mcp::http(toolbox).bind("127.0.0.1:0").await?;
/// println!("http://{}/mcp", http.local_addr());
/// http.stop().await;
/// # Ok(())
/// # }
/// ```
pub fn http(toolbox: impl IntoHandler) -> Http {
    Http::new(Handlers::Shared(toolbox.into_handler()))
}

/// Serves each principal a toolbox of its own over HTTP. `start` makes the toolbox at the principal's first request, for example
/// by starting an agent.
///
/// A principal's toolbox is dropped five minutes after its last request, which stops an agent that has no other handle. The next
/// request starts it again. One start runs at a time for each principal. Requests get the status 503 for a second after a failed
/// start, and if there are too many [principals](Http::max_principals).
///
/// The server needs [authentication](Http::auth), or a layer of your router that puts a [`Principal`] into the extensions of each
/// request.
///
/// ```
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// use skill_agent::mcp::{self, Auth, Principal, TokenError};
/// use skill_agent::prelude::*;
/// use skill_agent::toolbox::Toolbox;
/// # /// Counts.
/// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// # #[serde(default)]
/// # #[skill(name = "counter")]
/// # pub struct Counter { count: u32 }
/// # agent! { pub struct Clerk { name: "clerk", skills: [Counter] } }
///
/// const RESOURCE: &str = "http://127.0.0.1/mcp";
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let auth = Auth::new(RESOURCE, |token| async move {
///     match token.as_str() {
///         "secret-of-ann" => Ok(Principal::new("ann", [RESOURCE])),
///         _ => Err(TokenError::Invalid),
///     }
/// })?;
/// let start = |principal: Principal| async move {
///     let clerk = Clerk::builder().id(principal.name()).build()?;
///     let server = AgentServer::builder(clerk).start().await?;
///     Ok::<_, Box<dyn std::error::Error + Send + Sync>>(Toolbox::of(&server))
/// };
/// let http = mcp::http_per_principal(start).auth(auth).bind("127.0.0.1:0").await?;
/// # http.stop().await;
/// # Ok(())
/// # }
/// ```
pub fn http_per_principal<F, H, E>(start: impl Fn(Principal) -> F + Send + Sync + 'static) -> Http
where
    F: Future<Output = Result<H, E>> + Send + 'static,
    H: IntoHandler,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    let started = move |principal| {
        let started = start(principal);
        let started = async { started.await.map(H::into_handler).map_err(Into::into) };
        Box::pin(started) as _
    };
    Http::new(Handlers::PerPrincipal(Arc::new(started)))
}

/// A server over HTTP before it is bound. Created by [`http`](fn@http) and [`http_per_principal`].
#[must_use = "a server does nothing until `bind`"]
pub struct Http {
    handlers: Handlers,
    serve: Serve,
    auth: Option<Auth>,
    config: StreamableHttpServerConfig,
    max_sessions: usize,
    max_principals: usize,
    max_listeners: usize,
}

impl Http {
    fn new(handlers: Handlers) -> Self {
        Self {
            handlers,
            serve: serve(|handler| handler),
            auth: None,
            config: StreamableHttpServerConfig::default()
                .enforce_origin_validation()
                .with_allowed_origins(LOCAL_ORIGINS),
            max_sessions: MAX_SESSIONS,
            max_principals: MAX_PRINCIPALS,
            max_listeners: MAX_LISTENERS,
        }
    }

    /// Authenticates each request by its bearer token. A request without a token that suffices gets the status 401 or 403. Requests
    /// may have the host of the resource as their `Host`.
    ///
    /// Each principal has its own sessions, and guards and approvers see the
    /// [principal of a call](skill_core::Caller::principal). Clients find the authorization server in a document about the resource
    /// (RFC 9728). Its path is `/.well-known/oauth-protected-resource`, followed by the path of the resource.
    pub fn auth(mut self, auth: Auth) -> Self {
        let host = auth.host().map(str::to_owned);
        self.config.allowed_hosts.extend(host);
        self.auth = Some(auth);
        self
    }

    /// Serves the `ServerHandler` of rmcp that `wrap` creates from the [`Handler`].
    ///
    /// rmcp answers a method that it does not implement with an empty list or an error. So let it pass on, besides the requests of its
    /// own: `get_info`, `list_tools`, `get_tool` and `call_tool`; for prompts `list_prompts`, `get_prompt` and `complete`; for documents
    /// `list_resources`, `list_resource_templates`, `read_resource`, `read_resource_directory`, `list_skills` and `get_skill`; for
    /// changes `on_initialized`, `accepted_subscription_filter` and `listen`.
    ///
    /// `wrap` runs for each session of the earlier era, and for each request of the stateless one, so share what it needs.
    pub fn wrap<H: ServerHandler>(
        mut self,
        wrap: impl Fn(Handler) -> H + Send + Sync + 'static,
    ) -> Self {
        self.serve = serve(wrap);
        self
    }

    /// Adds names under which clients reach the server, for the check of the header `Host`, such as `office.example.com`. Defaults to
    /// the names of this machine.
    pub fn hosts<T: Into<String>>(mut self, hosts: impl IntoIterator<Item = T>) -> Self {
        let hosts = hosts.into_iter().map(Into::into);
        self.config.allowed_hosts.extend(hosts);
        self
    }

    /// Sets the origins of web pages that may send requests, such as `https://office.example.com`. An origin without a port has the
    /// port of its scheme; `http://localhost:*` has all ports. Defaults to pages of this machine.
    pub fn origins<T: Into<String>>(mut self, origins: impl IntoIterator<Item = T>) -> Self {
        let origins = origins
            .into_iter()
            .map(|origin| names::with_port(origin.into()));
        self.config = self.config.with_allowed_origins(origins);
        self
    }

    /// Sets the maximum size of a request in bytes. Defaults to 4 MiB. A larger one is answered with the status 413.
    pub fn max_request_bytes(mut self, bytes: usize) -> Self {
        self.config = self.config.with_max_request_body_bytes(bytes);
        self
    }

    /// Sets the maximum number of sessions of clients of the earlier era. Defaults to 1,000. A session ends five minutes after its
    /// last request. A principal has at most 100.
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.max_sessions = sessions;
        self
    }

    /// Sets the maximum number of principals that are connected. Defaults to 10,000. Requests of further ones get the status 503.
    pub fn max_principals(mut self, principals: usize) -> Self {
        self.max_principals = principals;
        self
    }

    /// Sets the maximum number of streams of clients that listen for changes, in both eras. Defaults to 9,000. A further stream gets
    /// the status 503, or an error of the protocol. [`bind`](Self::bind) accepts 10,000 connections, so a lower maximum leaves more
    /// of them to calls.
    pub fn max_listeners(mut self, streams: usize) -> Self {
        self.max_listeners = streams;
        self
    }

    /// Returns the server as a service of tower, for a router such as axum's: `Router::new().route_service("/mcp", service)`. With
    /// [authentication](Self::auth), also route the path of the document about the resource to it.
    ///
    /// Without authentication, the router decides who reaches the service. Requests with another `Host` than a loopback name, or
    /// one of [`hosts`](Self::hosts), are refused.
    pub fn into_service<B>(
        self,
    ) -> impl Service<
        Request<B>,
        Response = Response<BoxBody<Bytes, Infallible>>,
        Error = Infallible,
        Future: Send,
    > + Clone
    + Send
    + Sync
    + 'static
    where
        B: Body<Data: Send, Error: fmt::Display> + Send + 'static,
    {
        if let Err(error) = names::check(&self.config) {
            tracing::warn!(%error, "no request has a name for which an MCP server waits");
        }
        self.service(CancellationToken::new())
    }

    fn service(self, closing: CancellationToken) -> HttpService {
        let principals = Principals::new(
            self.handlers,
            self.serve,
            self.config,
            self.max_sessions,
            self.max_principals,
            self.max_listeners,
            closing,
        );
        HttpService::new(self.auth, principals)
    }

    /// Listens on an address, and serves every path.
    ///
    /// # Errors
    /// Returns an error if the server has no authentication and other machines can reach the address, if the system refuses the
    /// address, if no request can have one of the [hosts](Self::hosts) or [origins](Self::origins), or if there is no tokio runtime
    /// with a timer.
    pub fn bind<'a>(
        self,
        address: impl Address + 'a,
    ) -> BoxFuture<'a, Result<BoundHttp, BindError>> {
        // not an `async fn`, because rustc reports an unmet bound of one three times
        Box::pin(async {
            runtime::check()?;
            names::check(&self.config)?;
            let text = text_of(&address);
            if let Some(error) = url_error(&text) {
                return Err(error);
            }
            let addresses: Vec<SocketAddr> = match lookup_host(address).await {
                Ok(addresses) => addresses.collect(),
                Err(error) => return Err(unresolved(text, error)),
            };
            self.listen(text, &addresses).await
        })
    }

    async fn listen(
        self,
        address: String,
        addresses: &[SocketAddr],
    ) -> Result<BoundHttp, BindError> {
        if self.auth.is_none() {
            if matches!(self.handlers, Handlers::PerPrincipal(_)) {
                return Err(BindError::NoPrincipals);
            }
            let mut addresses = addresses.iter();
            if let Some(&address) = addresses.find(|address| !address.ip().is_loopback()) {
                return Err(BindError::NotLoopback { address });
            }
        }
        // a runtime without I/O cannot be recognized, but panics
        let listening = catch_async(Box::pin(TcpListener::bind(addresses)));
        let Ok(listener) = listening.await else {
            return Err(RuntimeError::NoIo.into());
        };
        let bound = listener.and_then(|listener| BoundHttp::start(listener, self));
        bound.map_err(|error| BindError::Io { address, error })
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").finish_non_exhaustive()
    }
}
