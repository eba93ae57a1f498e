//! Holding documents against an agent and against each other: while compiling, for those that `agent!` lists, and at run
//! time, for those that a catalog finds.
//!
//! The rules and the sentences are `const` functions, so that both get the same verdict in the same words. What a document
//! says of itself was checked before, by `skill_manifest::check`. Everything is linear in the number of documents, skills and
//! tools: names are hashed into open-addressed tables, as in `skill_core::compose`, at run time with a seed that whoever names
//! a document does not know.
//!
//! `allowed-tools` is not checked: documents are written for several programs, so foreign names are common in it, and it only
//! takes tools away.

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
