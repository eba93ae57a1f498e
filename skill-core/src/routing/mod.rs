//! Which signals go where: patterns over their types, and a router over many patterns.

mod pattern;
mod router;
#[cfg(test)]
mod tests;
mod trie;

pub(crate) use pattern::wants;
pub use pattern::{Pattern, PatternError, PatternFault};
pub use router::{Match, RouteId, Router};
