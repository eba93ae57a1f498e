//! HTTP clients with TLS, for models and for MCP servers.

mod client;
mod local;
mod threads;
mod tls;

pub use client::{chain, client, sources};
pub use local::is_local;
pub use threads::runtime_of;
