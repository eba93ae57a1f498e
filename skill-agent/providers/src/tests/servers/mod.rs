//! Tests with servers of other providers than the three with their own formats.

pub(crate) mod addresses;
pub(crate) mod local;
pub(crate) mod mistral;
pub(crate) mod others;
