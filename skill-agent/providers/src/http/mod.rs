//! Requests and responses over HTTP.

pub(crate) mod base_url;
pub(crate) mod client;
pub(crate) mod connections;
pub(crate) mod endpoint;
pub(crate) mod event_stream;
pub(crate) mod exchange;
pub(crate) mod exchange_stream;
pub(crate) mod retry_after;
