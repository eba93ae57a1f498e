//! The client of an MCP server, whose tools a toolbox can have.

mod call;
mod content;
mod http;
mod listed;

pub use http::OpenHttp;
pub use listed::McpTools;

use listed::Trust;
use rmcp::handler::client::progress::ProgressDispatcher;
use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{ClientInitializeError, NotificationContext, Peer, RoleClient, RunningService};
use rmcp::transport::{IntoTransport, TokioChildProcess};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::process::Command;
use tokio::time::timeout;

/// The time limit for opening a connection.
const OPENING_TIME: Duration = Duration::from_secs(60);

/// A connection to an MCP server. Clones share the connection, which closes when the last one is dropped.
#[derive(Clone)]
pub struct McpClient {
    service: Arc<RunningService<RoleClient, Listener>>,
}

/// Receives the notifications of the server.
struct Listener {
    /// How often the server has said that its tools have changed.
    changes: AtomicU64,
    progress: ProgressDispatcher,
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("skill-agent", env!("CARGO_PKG_VERSION")),
        )
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.progress.handle_notification(params).await;
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }
}

impl McpClient {
    /// Connects to an MCP server over a transport of rmcp, such as a TCP stream or a pair of a reader and a writer.
    ///
    /// Asks for the stateless era of the protocol first. A server of the earlier era that ignores the question is asked again in
    /// its own way after 10 seconds.
    ///
    /// # Errors
    /// Returns an error if the server does not answer as the protocol says.
    pub async fn connect<T, E, A>(transport: T) -> Result<Self, ConnectError>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let listener = Listener {
            changes: AtomicU64::new(0),
            progress: ProgressDispatcher::new(),
        };
        let era = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::LATEST],
            legacy_version: None,
        };
        let opening = listener.serve_with_lifecycle(transport, era);
        let service = timeout(OPENING_TIME, opening).await;
        let service = service.map_err(|_| ConnectError::NoAnswer)?;
        let service = service.map_err(ConnectError::of)?;
        Ok(Self {
            service: Arc::new(service),
        })
    }

    /// Starts a program and connects to it over its standard input and output. The program ends with the connection.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, and the same errors as [`connect`](Self::connect).
    ///
    /// ```no_run
    /// # use skill_agent::mcp::McpClient;
    /// # async fn connect() -> Result<(), Box<dyn std::error::Error>> {
    /// let files = McpClient::command("npx", ["-y", "@modelcontextprotocol/server-filesystem", "."]).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn command<A: AsRef<OsStr>>(
        program: impl AsRef<OsStr>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Self, ConnectError> {
        let mut command = Command::new(&program);
        command.args(arguments).kill_on_drop(true);
        let child = TokioChildProcess::new(command).map_err(|source| ConnectError::Program {
            program: program.as_ref().to_string_lossy().into_owned(),
            source,
        })?;
        Self::connect(child).await
    }

    /// Connects to an MCP server over HTTP: `McpClient::http(url).await`.
    ///
    /// Redirects are not followed, so that a token reaches no other server. An error never contains the URL, which may contain a key.
    ///
    /// # Errors
    /// Awaiting the connection returns [`ConnectError::Unauthorized`] if the server asks for another token, and the same errors as
    /// [`connect`](Self::connect).
    ///
    /// ```no_run
    /// # use skill_agent::mcp::McpClient;
    /// # async fn connect() -> Result<(), Box<dyn std::error::Error>> {
    /// let token = std::env::var("OFFICE_TOKEN")?;
    /// let office = McpClient::http("https://mcp.example.com/mcp").bearer_token(token).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn http(url: impl Into<String>) -> OpenHttp {
        OpenHttp::new(url.into())
    }

    /// Trusts the hints of the server's tools, so that the guard of the toolbox decides by them. Use it for servers that you
    /// operate: a server can say that a tool only reads although it deletes.
    #[must_use]
    pub fn trust_hints(self) -> McpTools {
        McpTools::new(self, Trust::Hints)
    }

    /// Allows calls to some of the server's tools without approval, by their names at the server. If the description or the schema
    /// of such a tool changes, its calls need approval again.
    #[must_use]
    pub fn allow<N: Into<String>>(self, tools: impl IntoIterator<Item = N>) -> McpTools {
        let tools: BTreeSet<String> = tools.into_iter().map(Into::into).collect();
        McpTools::new(self, Trust::Tools(tools))
    }

    fn peer(&self) -> &Peer<RoleClient> {
        self.service.peer()
    }

    fn listener(&self) -> &Listener {
        self.service.service()
    }

    /// Returns the number of list changes so far, or `None` if the server does not announce them.
    fn changes(&self) -> Option<u64> {
        let server = self.peer().peer_info()?;
        let is_stateless = server.protocol_version >= ProtocolVersion::V_2026_07_28;
        let tells = server.capabilities.tools.as_ref()?.list_changed == Some(true);
        (tells && !is_stateless).then(|| self.listener().changes.load(Ordering::Relaxed))
    }
}

impl From<McpClient> for McpTools {
    fn from(client: McpClient) -> Self {
        Self::new(client, Trust::Tools(BTreeSet::new()))
    }
}

impl fmt::Debug for McpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = self.peer().peer_info();
        let server = server.and_then(|server| server.server_info.clone());
        f.debug_struct("McpClient")
            .field("server", &server.map(|server| server.name))
            .finish_non_exhaustive()
    }
}

/// The error of a connection to an MCP server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The program of the server cannot be started.
    #[error("the program `{program}` of an MCP server cannot be started: {source}")]
    #[non_exhaustive]
    Program {
        /// The program.
        program: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The address of the server is malformed. The error does not contain it, because it may contain a key.
    #[error("the address of the MCP server is not a URL that begins with `https://` or `http://`")]
    Address,
    /// A header or the token has a character that a header cannot contain.
    #[error("the header `{name}` for the MCP server is malformed")]
    #[non_exhaustive]
    Header {
        /// The name of the header.
        name: String,
    },
    /// TLS is not available.
    #[error("TLS is not available: {0}")]
    Tls(String),
    /// The server asks for a token, or for another one.
    #[error(
        "the MCP server asks for a token, or does not accept the one in `bearer_token`: {challenge}"
    )]
    #[non_exhaustive]
    Unauthorized {
        /// The header `WWW-Authenticate` of the response, which names the authorization server.
        challenge: String,
    },
    /// The server did not answer.
    #[error("the MCP server did not answer within {OPENING_TIME:?}")]
    NoAnswer,
    /// The server did not answer as the protocol says.
    #[error("the MCP server did not open the connection: {}", reason_of(.0))]
    Server(#[source] Box<ClientInitializeError>),
}

fn reason_of(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::TransportError { error, .. } => {
            let of_http = http::of_http(&*error.error);
            of_http.map_or_else(|| error.error.to_string(), http::reason)
        }
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => reason_of(fallback),
        other => other.to_string(),
    }
}

impl ConnectError {
    fn of(error: ClientInitializeError) -> Self {
        match error.auth_challenge() {
            Some(challenge) => Self::Unauthorized {
                challenge: challenge.to_owned(),
            },
            None => Self::Server(Box::new(error)),
        }
    }
}
