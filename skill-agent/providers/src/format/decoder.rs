//! Schemas for the decoders of local servers. Decoders ignore keywords that they do not know.

use serde_json::Value;
use skill_agent_schema::{Descend, visit_schema_mut};

use skill_agent_models::__private::bounds;
use skill_agent_models::{Provider, SchemaDialect, SchemaError, Supported, dialects, shapes};

/// MCP's dialect with three changes: all formats stay, integers get bounds, and a choice has no keywords next to it, because
/// llama.cpp ignores them there. Decoders support MCP's dialect best.
static DIALECT: SchemaDialect = dialects::MCP
    .with_formats(Supported::All)
    .with_name("a decoder")
    .with_integer_bounds(true)
    .with_choice_siblings(false);
const DECODER: Provider = Provider {
    dialect: &DIALECT,
    shape: &shapes::MCP,
};

/// Converts a schema to the decoder's dialect, with its references inlined, so that it can become part of a larger schema.
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
