//! Messages from handles to the server task, and their responses.

pub(super) mod any_owner;
pub(super) mod message;
pub(super) mod responder;
mod response_future;
pub(super) mod shutdown;
mod target;

pub use response_future::ResponseFuture;
pub use target::{Lease, Started, Wake};
pub(crate) use target::{Mailbox, Reached};
