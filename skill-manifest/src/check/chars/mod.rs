//! Invisible characters, and characters that look like others.

pub(crate) mod alphabets;
pub(crate) mod invisible;
