//! Messages from the handles of a server to its task, and the responses.

mod exchange;
pub(super) mod message;
pub(super) mod responder;
pub(super) mod shutdown;
