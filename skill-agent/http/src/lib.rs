//! HTTP clients with TLS, for models and for MCP servers.

mod client;
mod threads;
mod tls;

pub use client::{chain, client, sources};
pub use threads::runtime_of;
