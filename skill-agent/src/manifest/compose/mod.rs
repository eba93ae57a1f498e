//! Checks documents against an agent and against each other: at compile time for the documents that `agent!` lists, at run time
//! for those in a catalog.
//!
//! Rules and messages are `const` functions, so both checks reach the same verdict in the same words. Each document by itself
//! has been checked before, by `skill_manifest::check`. The check takes linear time in the number of documents, skills and
//! tools: names are hashed into open-addressed tables, as in `skill_core::composition`. At run time the hash has a random seed,
//! because the names of documents may be chosen by an attacker.
//!
//! `allowed-tools` is not checked: documents are written for several programs, so it often contains unknown names, and it only
//! removes tools.

mod examine;
mod listed;
mod look;
mod names;
mod near;
mod report;
mod say;
mod scene;
mod tell;
#[cfg(test)]
mod tests;

pub use examine::{Examined, examine};
pub use listed::{Candidate, Listed, candidates, count};
pub(crate) use look::{dispatches, is_made_of};
pub(crate) use report::{report, reserved_tool};
pub use scene::{Scene, tool_names};
pub use tell::{tell, tell_allow_skills};
