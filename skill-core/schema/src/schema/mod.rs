//! Generates, changes and walks JSON Schemas.

pub(crate) mod close;
pub(crate) mod defaults;
pub(crate) mod descriptions;
pub(crate) mod fingerprint;
pub(crate) mod formats;
pub(crate) mod generate;
pub(crate) mod kinds;
pub(crate) mod node;
pub(crate) mod patterns;
pub(crate) mod sample;
pub(crate) mod visit;
