//! The constructors of errors of a start.

use super::StartError;
use skill_agent_store::StoreError;
use skill_core::routing::PatternError;
use std::error::Error as StdError;

/// Constructors for the other crates of `skill-agent`.
#[doc(hidden)]
impl StartError {
    /// Returns the error for a store that cannot be used.
    pub fn store(id: &str, source: StoreError) -> Self {
        let id = id.to_owned();
        Self::Store { id, source }
    }

    /// Returns the error for an index that cannot be used.
    pub fn index(id: &str, reason: String) -> Self {
        Self::store(id, StoreError::failed(id, "the index", reason))
    }

    /// Returns the error for an invalid pattern.
    pub fn invalid_pattern(method: &'static str, source: PatternError) -> Self {
        Self::Pattern {
            method,
            pattern: source.pattern.clone(),
            source,
        }
    }

    /// Returns the error for a panic.
    pub fn panicked(message: String) -> Self {
        Self::Panicked { message }
    }

    /// Returns the error for an agent with a different id.
    pub fn other_id(id: &str, other: Option<&str>) -> Self {
        Self::OtherId {
            id: id.to_owned(),
            other: other.map(str::to_owned),
        }
    }

    /// Returns the error for an agent without a builder.
    pub fn no_builder(id: &str, source: Box<dyn StdError + Send + Sync>) -> Self {
        let id = id.to_owned();
        Self::NoBuilder { id, source }
    }
}
