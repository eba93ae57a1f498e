//! Calls, typed and by name, and other commands that change the state.

pub(crate) mod admission;
pub(crate) mod arguments;
pub(crate) mod batch;
pub(crate) mod by_name;
pub(crate) mod command;
pub(crate) mod mutation;
pub(crate) mod preview;
pub(crate) mod record;
pub(crate) mod reply;
pub(crate) mod reserve;
pub(crate) mod typed;
