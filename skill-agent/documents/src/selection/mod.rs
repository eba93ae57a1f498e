//! Chooses the documents and skills to show to a model for a request, the level of detail, and the reasons.
//!
//! A [`Selector`] contains [`Candidate`]s and their search indexes. The result of [`Selector::select`] depends only on a
//! [`Query`], the conversation's [`Activations`] and a [`SelectionPolicy`]. A [`Catalog`](super::Catalog) has a selector with its
//! documents and its agent's skills.

mod activations;
mod candidate;
mod intent;
mod listing;
mod patterns;
mod policy;
mod query;
mod rank;
mod relevance;
mod result;
mod selector;
pub(crate) mod text;
mod triggers;

pub use activations::{ActivationError, Activations};
pub use candidate::{Candidate, CandidateKind, Exposure};
pub use policy::{ActivationPeriod, Disclosure, SelectionPolicy};
pub use query::{MAX_PATH_BYTES, MAX_QUERY_BYTES, MAX_QUERY_PATHS, Query};
pub use result::{LeftOut, LeftOutReason, SelectedItem, Selection, SelectionReason, Tier};
pub use selector::Selector;
pub use text::tokens::tokens;
pub use triggers::TriggerMatch;

pub(crate) use listing::{Detail, details};
pub(crate) use skill_core::process::tokens::bytes;
