//! Documents that are checked from outside.

mod bad_input;
mod common;
mod corpus;
mod documents;
mod foreign_keys;
mod ids;
mod invisible_chars;
mod laws;
mod met_by_others;
mod probes;
mod repaired_restrictions;
mod repairs;
