//! Skills that are mounted while the program runs, and the documents of agents.

#[path = "../common/mod.rs"]
mod common;

mod agent_documents;
mod agents;
mod copies;
mod documents;
mod laws;
mod mounting;
mod skill_docs;
