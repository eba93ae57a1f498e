//! Errors of providers, as a chat sees them.

pub(crate) mod failures;
pub(crate) mod kinds;
mod met_by_others;
pub(crate) mod of_providers;
pub(crate) mod shapes;
