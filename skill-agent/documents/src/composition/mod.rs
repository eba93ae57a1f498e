//! Checks documents against an agent and against each other: the documents of `agent!` at compile time, and the documents of a
//! catalog at run time.
//!
//! Rules and messages are `const` functions, which both checks use. `skill_manifest::check` has already checked each document by
//! itself. The check takes linear time in the number of documents, skills and tools: names are hashed into open-addressed tables,
//! as in `skill_core::composition`. At run time the hash seed is random, because an attacker may choose the names of documents.
//!
//! These rules do not check `allowed-tools`. Documents are written for several programs, so the key often contains unknown names,
//! and it can only forbid tools.

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
pub use lookup::dispatches;
pub(crate) use lookup::is_generated_from;
pub use rules::{CheckedDocs, check_const};
pub(crate) use run_time::{diagnose, reserved_tool};
