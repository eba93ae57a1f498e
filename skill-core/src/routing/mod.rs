//! Signal routing: patterns over signal types, and a router over many patterns.

mod pattern;
mod route;
mod router;
#[cfg(test)]
mod tests;
mod trie;

pub use pattern::{Pattern, PatternError, PatternFault};
pub(crate) use pattern::{matches, mistake_in_signal_type, segments_match};
pub use route::{Route, RouteError};
pub use router::{Match, RouteId, Router};
