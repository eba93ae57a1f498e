//! The schemas of tools for each provider, compiled by decoders, and the values that the decoders allow.

pub mod explained;
pub mod subjects;
pub mod walk;

#[path = "../../../tests/common/argument_kinds.rs"]
#[allow(missing_docs)]
pub mod kinds;
#[path = "../../../tests/models/nullable.rs"]
pub mod nullable;
#[path = "../../../tests/pure/schema_values/rows.rs"]
#[allow(missing_docs)]
pub mod rows;
#[path = "../../../tests/pure/schema_values/types.rs"]
#[allow(missing_docs)]
pub mod types;
