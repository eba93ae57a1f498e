//! A connection over which MCP is spoken.

use rmcp::service::ServiceRole;
use rmcp::transport::IntoTransport;
use std::error::Error;

/// A transport of rmcp, such as a TCP stream, one half of [`tokio::io::duplex`], or a pair of a reader and a writer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a connection for MCP",
    label = "not a connection",
    note = "a connection is a TCP stream, one half of `tokio::io::duplex`, or a pair of a reader and a writer; `McpClient::http(url)` \
            connects to a URL"
)]
pub trait McpTransport<R: ServiceRole, E: Error + Send + 'static, A>:
    IntoTransport<R, E, A>
{
}

// without this attribute, rustc shows the bound of the impl instead of the message
#[diagnostic::do_not_recommend]
impl<T, R, E, A> McpTransport<R, E, A> for T
where
    T: IntoTransport<R, E, A>,
    R: ServiceRole,
    E: Error + Send + 'static,
{
}
