//! Servers other than those of the three providers.

pub(crate) mod addresses;
pub(crate) mod local;
pub(crate) mod mistral;
pub(crate) mod others;
