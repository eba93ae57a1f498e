//! Serves a toolbox to one client over a connection.

use crate::connection::Connection;
use crate::runtime;
use crate::{IntoHandler, McpTransport, RuntimeError};
use rmcp::service::{QuitReason, RoleServer, ServerInitializeError};
use rmcp::{ServiceExt, transport};
use skill_agent_server::BoxFuture;
use std::io;

/// Serves a toolbox to one MCP client, until the client closes the connection.
///
/// `transport` is, for example, a TCP stream, one half of [`tokio::io::duplex`], or a pair of a reader and a writer. The client
/// chooses the era of the protocol. Pass a [`Handler`](crate::Handler) instead of a toolbox to set [`Options`](crate::Options).
///
/// # Errors
/// Returns an error if the client does not follow the protocol when it opens the connection, or if there is no tokio runtime with a
/// timer.
///
/// ```
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// use rmcp::ServiceExt;
/// use skill_agent::mcp;
/// use skill_agent::prelude::*;
/// use skill_agent::toolbox::Toolbox;
/// # /// Counts.
/// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// # #[serde(default)]
/// # #[skill(name = "counter", actions(Count))]
/// # pub struct Counter { count: u32 }
///
/// /// Count one more.
/// #[action]
/// pub fn count(counter: &mut Counter) -> u32 {
///     counter.count += 1;
///     counter.count
/// }
/// # agent! { pub struct Clerk { name: "clerk", skills: [Counter] } }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = AgentServer::builder(Clerk::new()).start().await?;
/// let (here, there) = tokio::io::duplex(64 * 1024);
/// tokio::spawn(mcp::serve(Toolbox::of(&server), there));
///
/// let client = ().serve(here).await?; // a client of rmcp
/// let tools = client.list_all_tools().await?;
/// assert_eq!(tools[0].name, "count");
/// # Ok(())
/// # }
/// ```
pub fn serve<T, E, A>(
    toolbox: impl IntoHandler,
    transport: T,
) -> BoxFuture<'static, Result<(), ServeMcpError>>
where
    T: McpTransport<RoleServer, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let handler = toolbox.into_handler();
    // not an `async fn`, because rustc reports an unmet bound of one three times
    Box::pin(async {
        runtime::check()?;
        let connection = Connection::new(transport.into_transport());
        let service = handler.serve(connection).await?;
        match service.waiting().await {
            Ok(QuitReason::JoinError(error)) | Err(error) => Err(ServeMcpError::Task(error.into())),
            Ok(_) => Ok(()),
        }
    })
}

/// Serves a toolbox over standard input and output, for a program that an MCP client starts. Nothing else may write to standard
/// output: logs belong to standard error.
///
/// # Errors
/// Returns the same errors as [`serve`].
pub fn stdio(toolbox: impl IntoHandler) -> BoxFuture<'static, Result<(), ServeMcpError>> {
    serve(toolbox, transport::stdio())
}

/// The error of [`serve`] and [`stdio`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeMcpError {
    /// There is no tokio runtime, or it lacks something.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The client did not open the connection as the protocol says, or the connection closed during the handshake.
    #[error("the MCP client could not be served: {}", opening(.0))]
    Opening(#[from] Box<ServerInitializeError>),
    /// The task of the connection panicked.
    #[error("the task of an MCP connection failed: {0}")]
    Task(io::Error),
}

impl From<ServerInitializeError> for ServeMcpError {
    fn from(error: ServerInitializeError) -> Self {
        Self::Opening(Box::new(error))
    }
}

fn opening(error: &ServerInitializeError) -> String {
    match error {
        ServerInitializeError::ConnectionClosed(_) => {
            "it closed the connection without asking for anything".to_owned()
        }
        other => other.to_string(),
    }
}
