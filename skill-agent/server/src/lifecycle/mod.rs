//! The life of a server, from its start to its stop.

pub(crate) mod launch;
pub(crate) mod rest;
mod restore;
pub(crate) mod running;
pub(crate) mod settings;
pub(crate) mod shared;
pub(crate) mod stop_reason;
pub(crate) mod stop_report;
