//! Agents without a server: calls, arguments, states, schemas, signals, and the surroundings of generated code.

#![deny(non_ascii_idents)] // a lint of whole crates; the others are in `hygiene/every_lint_denied.rs`

#[path = "../common/mod.rs"]
mod common;

mod agents;
mod allocations;
mod async_actions;
mod bad_input;
mod cfg_entries;
mod conditions;
mod configuration;
mod constraints;
mod doc_forms;
mod doc_macros;
mod effects;
pub mod hygiene; // one of its programs denies `unreachable_pub`
mod instances;
mod json_forms;
mod laws;
mod map_keys;
mod not_finite;
mod out_of_range;
mod package_version;
mod panics;
mod readme;
mod renamed_arguments;
mod routing;
mod schema_limits;
mod schema_values;
mod schemas;
mod secrets;
mod signals;
mod size_limits;
mod skill_routes;
mod state_json;
mod tool_texts;
