//! The schemas of tools for each provider, compiled by decoders, and the values that the decoders allow.

pub mod explained;
pub mod subjects;
pub mod walk;

#[path = "../../../tests/common/argument_kinds.rs"]
pub mod kinds;
#[path = "../../../tests/models/nullable.rs"]
pub mod nullable;
#[path = "../../../tests/pure/schema_values/rows.rs"]
pub mod rows;
#[path = "../../../tests/pure/schema_values/types.rs"]
pub mod types;
