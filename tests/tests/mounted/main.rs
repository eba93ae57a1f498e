//! Skills that are mounted while the program runs.

#[path = "../common/mod.rs"]
mod common;

#[path = "../common/errors.rs"]
mod errors;

mod agent_signals;
mod agents;
mod copies;
mod documents;
mod effects;
mod laws;
mod mounting;
mod sets;
mod skill_docs;
mod states;
