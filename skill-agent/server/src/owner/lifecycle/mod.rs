//! The startup and the end of a server.

mod declared;
pub(crate) mod exit;
pub(crate) mod grace;
pub(crate) mod select;
pub(crate) mod startup;
