//! HTTP clients with TLS, for models and for MCP servers.

mod client;
mod errors;
mod local;
mod secrets;
mod threads;
mod tls;

pub use client::{builder, client};
pub use errors::{chain, is_closed, sources, tls_error};
pub use local::is_local;
pub use secrets::Secrets;
pub use threads::runtime_of;
