//! The client of an MCP server, whose tools a toolbox can have.

mod asked;
mod attempts;
#[cfg(feature = "auth")]
mod auth;
mod call;
mod command;
mod connection;
mod content;
mod error;
mod failure;
mod http;
mod listed;
mod program;
mod requests;
mod skills;
mod tool_names;
mod typed;

#[cfg(feature = "auth")]
pub use auth::{ClientCredentials, SignIn, SignInError};
pub use command::OpenCommand;
pub use error::ConnectError;
pub use http::OpenHttp;
pub use listed::McpTools;
pub use skills::{RemoteSkill, SkillsError};
pub use typed::{RemoteAgent, RemoteCallError, RemoteInstance, TypedError};

use crate::McpTransport;
use connection::{Connection, Service};
use listed::Trust;
use rmcp::service::RoleClient;
use skill_agent_server::BoxFuture;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;
use tool_names::ToolNames;

/// A connection to an MCP server. Clones share the connection, which closes when the last one is dropped.
///
/// A program that ends starts again with the next call. If it ends again soon, the calls fail for a second, then for two, up to a
/// minute. A server over HTTP may restart.
#[derive(Clone)]
pub struct McpClient {
    connection: Arc<Connection>,
    #[cfg(feature = "auth")]
    tokens: Option<Arc<auth::Tokens>>,
}

impl McpClient {
    /// Connects to an MCP server over a transport of rmcp, such as a TCP stream or a pair of a reader and a writer.
    ///
    /// Asks for the stateless era of the protocol first. A server of the earlier era that ignores the question is asked again in
    /// its own way after 10 seconds.
    ///
    /// # Errors
    /// Returns an error if the server does not answer as the protocol says. Also returns one outside of a tokio runtime, or in one
    /// without a timer.
    pub fn connect<T, E, A>(transport: T) -> BoxFuture<'static, Result<Self, ConnectError>>
    where
        T: McpTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        // not an `async fn`, because rustc reports an unmet bound of one three times
        Box::pin(async { Ok(Self::new(Connection::over(transport).await?)) })
    }

    /// Starts a program and connects to it over its standard input and output: `McpClient::command(program, arguments).await`.
    ///
    /// Without arguments, write `McpClient::command("program", [""; 0])`. The program ends with the connection. It has the environment variables of this process, and writes to its standard error.
    ///
    /// # Errors
    /// Awaiting the connection returns an error if the program cannot be started or ends at once, and the same errors as
    /// [`connect`](Self::connect). On Unix, it also returns one in a runtime without IO.
    ///
    /// ```no_run
    /// # use skill_agent::mcp::McpClient;
    /// # async fn connect() -> Result<(), Box<dyn std::error::Error>> {
    /// let files = McpClient::command("npx", ["-y", "@modelcontextprotocol/server-filesystem", "."]).await?;
    /// let token = std::env::var("GITHUB_TOKEN")?;
    /// let issues = McpClient::command("github-mcp-server", ["stdio"]).env("GITHUB_PERSONAL_ACCESS_TOKEN", token).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn command<A: AsRef<OsStr>>(
        program: impl AsRef<OsStr>,
        arguments: impl IntoIterator<Item = A>,
    ) -> OpenCommand {
        OpenCommand::new(program.as_ref(), arguments)
    }

    /// Connects to an MCP server over HTTP: `McpClient::http(url).await`.
    ///
    /// Redirects are not followed, and a proxy is used only for `https://`, so that a token reaches no other server. An error never
    /// contains the URL, which may contain a key.
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
    /// of such a tool changes, its calls need approval again. The toolbox withholds all tools of a server that has never listed one
    /// of the names.
    #[must_use]
    pub fn allow(self, tools: impl ToolNames) -> McpTools {
        McpTools::new(self, Trust::Tools(tools.into_set()))
    }

    fn new(connection: Connection) -> Self {
        Self {
            connection: Arc::new(connection),
            #[cfg(feature = "auth")]
            tokens: None,
        }
    }

    /// Returns whether a request may wait for the connection to open, or for a person to sign in.
    fn may_wait(&self) -> bool {
        #[cfg(feature = "auth")]
        if self.tokens.is_some() {
            return true;
        }
        self.connection.current().is_transport_closed()
    }

    /// Returns the open connection, after opening it again if it has closed.
    async fn service(&self) -> Result<Arc<Service>, ConnectError> {
        self.connection.service().await
    }
}

impl From<McpClient> for McpTools {
    fn from(client: McpClient) -> Self {
        Self::new(client, Trust::Tools(BTreeSet::new()))
    }
}

impl fmt::Debug for McpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let service = self.connection.current();
        let server = service.peer().peer_info();
        let server = server.and_then(|server| server.server_info.clone());
        f.debug_struct("McpClient")
            .field("server", &server.map(|server| server.name))
            .finish_non_exhaustive()
    }
}
