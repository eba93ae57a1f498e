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

mod compile_time;
mod doc_text;
mod documents;
mod input;
mod lookup;
mod messages;
mod names;
mod rules;
mod run_time;
mod suggest;
#[cfg(test)]
mod tests;

pub use compile_time::{report_allow_skills, report_entry};
pub use documents::{ListedDocs, LocatedDoc, count_docs, located_docs};
pub(crate) use input::BUILT_IN;
pub use input::{CheckInput, tool_names};
pub(crate) use lookup::{dispatches, is_generated_from};
pub use rules::{CheckedDocs, check_const};
pub(crate) use run_time::{diagnose, reserved_tool};
