//! The API as users write it. These files are a contract: they change only when the API is meant to.

mod agents;
mod chat;
mod conversations;
mod manifests;
mod math_agent;
mod mcp;
mod mounted;
mod server;
mod state;
