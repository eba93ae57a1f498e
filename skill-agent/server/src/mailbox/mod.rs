//! Messages from the handles of a server to its task, and the responses.

pub(super) mod message;
pub(super) mod responder;
mod response_future;
pub(super) mod shutdown;

pub use response_future::ResponseFuture;
