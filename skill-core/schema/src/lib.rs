//! Implementation detail of `skill-core` and `skill-agent`. This crate is not part of their public API and may change with any
//! release. `skill-core` documents the types that it re-exports.
//!
//! The crate converts between JSON and typed Rust: it reads, writes and updates values, and handles schemas. Generic functions
//! are a few lines long and call functions over [`serde_json::Value`], because generic code is compiled once per argument type.
//! Three rules apply everywhere. Every mistake is reported with its path. No caller can exhaust the stack or the processor. A
//! number that JSON cannot represent never becomes `null`.
#![forbid(unsafe_code)]
#![doc(hidden)]

mod check;
mod problem;
mod read;
mod schema;
mod secrets;
mod update;
mod value;
mod write;

#[cfg(test)]
mod tests;

pub use check::constraints::{constraint_problems, is_regex};
pub use check::structure::structure_problems;
pub use check::violation::range_text;
pub use problem::{Problem, StateError, is_full, suggest};
pub use read::{MAX_ARGUMENT_BYTES, ReadError, read, read_document, read_value};
pub use schema::close::{closed, partial};
pub use schema::defaults::with_defaults;
pub use schema::descriptions::{describe_properties, remove_repeated_descriptions};
pub use schema::fingerprint::{HashedSchema, canonical_text, fingerprint};
pub use schema::generate::{
    ObjectSchema, SchemaFn, answer_schema_of, generator, schema_by, schema_of,
};
pub use schema::node::{SchemaNode, definition, percent_decoded};
pub use schema::patterns::Patterns;
pub use schema::visit::{
    Branch, Descend, SchemaPath, has_inner_id, subschemas, subschemas_mut, visit as visit_schema,
    visit_mut as visit_schema_mut,
};
pub use secrets::hidden::{hide_secrets, hide_values};
pub use secrets::{MASK, is_secret, mask, parts, without_secrets};
pub use update::input::Update;
pub use update::mistakes::{Sent, finish, with_all_mistakes};
pub use update::{Layout, update};
pub use value::depth::{MAX_DEPTH, behind_string, value_is_too_deep};
pub use value::number::{compare as compare_numbers, is_equal, is_multiple};
pub use value::path::{Step, join, prefixed, shorten, shorten_name, shorten_type};
pub use write::{NOT_A_KEY, WriteError, as_value, write, write_json_safe, write_value};
