//! The sources of a toolbox.

mod server;

pub(super) use server::ServerOrigin;
