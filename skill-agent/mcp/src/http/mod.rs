//! Serves a toolbox over HTTP, to any number of clients on this machine.

mod bound;
mod sessions;

pub use bound::BoundHttp;

use crate::Handler;
use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use http_body_util::combinators::BoxBody;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use sessions::Sessions;
use std::convert::Infallible;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::{TcpListener, ToSocketAddrs, lookup_host};
use tower_service::Service;

/// The default for [`Http::max_sessions`].
const MAX_SESSIONS: usize = 1_000;

/// Serves a toolbox over HTTP, on this machine alone.
///
/// All clients share the toolbox, and there is no authentication. A request whose `Host` is not a loopback name is refused, and so is
/// one with an `Origin`, so that no web page reaches the server.
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
pub fn http(toolbox: impl Into<Handler>) -> Http {
    Http {
        handler: toolbox.into(),
        config: StreamableHttpServerConfig::default().enforce_origin_validation(),
        max_sessions: MAX_SESSIONS,
    }
}

/// A server over HTTP before it is bound. Created by [`http`](fn@http).
#[must_use = "a server does nothing until `bind`"]
pub struct Http {
    handler: Handler,
    config: StreamableHttpServerConfig,
    max_sessions: usize,
}

impl Http {
    /// Sets the origins of web pages that may send requests, such as `http://localhost:*`. Defaults to none.
    pub fn origins<T: Into<String>>(mut self, origins: impl IntoIterator<Item = T>) -> Self {
        self.config = self.config.with_allowed_origins(origins);
        self
    }

    /// Sets the maximum size of a request in bytes. Defaults to 4 MiB. A larger one is answered with the status 413.
    pub fn max_request_bytes(mut self, bytes: usize) -> Self {
        self.config = self.config.with_max_request_body_bytes(bytes);
        self
    }

    /// Sets the maximum number of sessions of clients of the earlier era. Defaults to 1,000. A session ends five minutes after its
    /// last request.
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.max_sessions = sessions;
        self
    }

    /// Returns the server as a service of tower, for a router such as axum's: `Router::new().route_service("/mcp", service)`.
    ///
    /// The router decides who reaches the service. Requests with another `Host` than a loopback name are refused.
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
        self.service()
    }

    fn service(self) -> StreamableHttpService<Handler, Sessions> {
        let sessions = Arc::new(Sessions::new(self.max_sessions));
        let handler = self.handler;
        StreamableHttpService::new(move || Ok(handler.clone()), sessions, self.config)
    }

    /// Listens on an address of this machine, and serves every path.
    ///
    /// # Errors
    /// Returns an error if other machines can reach the address, or if the system refuses it.
    pub async fn bind(self, address: impl ToSocketAddrs) -> Result<BoundHttp, BindError> {
        let addresses: Vec<SocketAddr> = lookup_host(address).await?.collect();
        if let Some(&address) = addresses.iter().find(|address| !address.ip().is_loopback()) {
            return Err(BindError::NotLoopback { address });
        }
        let listener = TcpListener::bind(&addresses[..]).await?;
        BoundHttp::start(listener, self).map_err(BindError::Io)
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").finish_non_exhaustive()
    }
}

/// The error of [`Http::bind`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// Other machines can reach the address, and there is no authentication.
    #[error(
        "`{address}` is not an address of this machine alone, and the server has no authentication; bind to `127.0.0.1`, or put the \
         service behind a router that authenticates its callers"
    )]
    #[non_exhaustive]
    NotLoopback {
        /// The address.
        address: SocketAddr,
    },
    /// The system refuses the address.
    #[error("the address cannot be bound: {0}")]
    Io(#[from] io::Error),
}
