//! Routing of signals: patterns over their types, and a router over many patterns.

mod pattern;
mod route;
mod router;
#[cfg(test)]
mod tests;
mod trie;

pub(crate) use pattern::segments_match;
pub use pattern::{Pattern, PatternError, PatternFault};
pub use route::{Route, RouteError};
pub use router::{Match, RouteId, Router};
