//! Schemas for the decoders of local servers, which ignore unknown keywords.

use serde_json::Value;
use skill_agent_schema::{Descend, visit_schema_mut};

use skill_agent_models::__private::bounds;
use skill_agent_models::{Provider, SchemaDialect, SchemaError, dialects, shapes};

/// MCP's dialect, which decoders support best, but without keywords next to a choice, because llama.cpp ignores them.
static DIALECT: SchemaDialect = dialects::MCP
    .with_name("a decoder")
    .with_integer_bounds(true)
    .with_choice_siblings(false);
const DECODER: Provider = Provider {
    dialect: &DIALECT,
    shape: &shapes::MCP,
};

/// Prepares a schema to be part of a larger one by inlining its references.
pub(crate) fn part(schema: &Value) -> Result<Value, SchemaError> {
    DECODER.schema(schema)
}

/// Adds the bounds of 32-bit integers to a schema.
pub(crate) fn bounded(mut schema: Value) -> Value {
    visit_schema_mut(&mut schema, &mut |_, part| {
        part.as_object_mut().map(bounds::write);
        Descend::Into
    });
    schema
}
