//! The Model Context Protocol: a toolbox as an MCP server, and MCP servers in a toolbox.
//!
//! Both eras of the protocol are served: the stateless one from 2026-07-28 on, and the earlier one with a handshake.

mod ask_client;
mod client;
mod connection;
mod handler;
mod http;
mod in_toolbox;
mod runtime;
mod sent;
mod serve;
mod skill;
mod text;
mod tool;
mod transport;

pub use ask_client::{AskClient, ask_client};
#[cfg(feature = "auth")]
pub use client::{ClientCredentials, SignIn, SignInError};
pub use client::{
    ConnectError, McpClient, McpTools, OpenCommand, OpenHttp, RemoteAgent, RemoteCallError,
    RemoteInstance, RemoteSkill, SkillsError, TypedError,
};
pub use handler::{Handler, IDEMPOTENCY_KEY, IntoHandler, Options, OptionsError};
pub use http::{
    Address, Auth, BindError, BoundHttp, Http, NameError, Principal, ResourceError, TokenError,
    http, http_per_principal,
};
pub use in_toolbox::{IntoMcpTools, McpToolbox};
pub use runtime::RuntimeError;
pub use serve::{ServeMcpError, serve, stdio};
pub use transport::McpTransport;
