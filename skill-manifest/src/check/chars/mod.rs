//! Characters that make names look alike, or that nobody sees.

pub(crate) mod alphabets;
pub(crate) mod invisible;
