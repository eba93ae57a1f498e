//! Runs actions, by type and by name, and delivers signals.

pub(crate) mod call;
pub(crate) mod condition;
pub(crate) mod deliver;
pub(crate) mod perform;
pub(crate) mod resolve;
pub(crate) mod skill_of;
pub(crate) mod transaction;
