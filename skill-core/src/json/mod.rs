//! Conversions between JSON and typed Rust: reading, writing, updating, and schemas.
//!
//! Generic functions are a few lines long and leave the rest to functions over [`serde_json::Value`], because each of them is
//! compiled for every argument type. Three rules hold throughout: a mistake is reported with its path, nothing that a caller
//! sends can exhaust the stack or the processor, and a number that JSON cannot hold never turns into `null`.

mod access;
mod at_path;
mod close;
mod constraints;
mod cursor;
mod defaults;
mod depth;
mod descriptions;
mod fingerprint;
mod finite;
mod formats;
mod hidden;
mod missing_fields;
mod mistakes;
mod number;
mod path;
mod patterns;
mod problem;
mod read;
mod read_log;
mod renamed;
mod repair;
mod repeated_keys;
mod sample;
mod schema;
mod schema_node;
mod schema_visit;
mod search;
mod secrets;
mod structure;
mod syntax;
mod update;
mod update_input;
mod wording;
mod write;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use close::{closed, partial};
pub use constraints::is_regex;
pub(crate) use constraints::{constraint_problems, range_text};
pub(crate) use defaults::with_defaults;
pub(crate) use depth::value_is_too_deep;
pub use depth::{MAX_DEPTH, behind_string};
pub(crate) use descriptions::{describe_properties, remove_repeated_descriptions};
pub(crate) use fingerprint::{HashedSchema, canonical_text, fingerprint};
pub(crate) use hidden::{hide_secrets, hide_values};
pub(crate) use mistakes::{Sent, finish, with_all_mistakes};
pub use number::{compare as compare_numbers, is_equal, is_multiple};
pub use path::{join, prefixed, shorten_type};
pub(crate) use path::{shorten, shorten_name};
pub use patterns::Patterns;
pub(crate) use problem::is_full;
pub use problem::{Problem, StateError};
pub use read::{MAX_ARGUMENT_BYTES, ReadError, read_document};
pub(crate) use read::{read, read_value};
pub use renamed::NamedField;
pub(crate) use renamed::unknown_entries;
pub use schema::SchemaFn;
pub(crate) use schema::{ObjectSchema, answer_schema_of, generator, schema_by, schema_of};
pub use schema_node::{SchemaNode, definition, percent_decoded};
pub(crate) use schema_visit::has_inner_id;
pub use schema_visit::{Branch, Descend, SchemaPath, subschemas, subschemas_mut, visit, visit_mut};
pub use secrets::MASK;
pub(crate) use secrets::{is_secret, mask, parts, without_secrets};
pub(crate) use skill_agent_grammar::{nearest, nearest_within};
pub(crate) use structure::structure_problems;
pub(crate) use update::{Layout, update};
pub(crate) use update_input::Update;
pub(crate) use write::NOT_A_KEY;
pub use write::WriteError;
pub(crate) use write::{as_value, write, write_json_safe, write_value};
