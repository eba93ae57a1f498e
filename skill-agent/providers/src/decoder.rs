//! Schemas for the decoders of local servers, which leave out what they do not know.

use serde_json::Value;
use skill_agent_schema::{Descend, visit_schema_mut};

use skill_agent_models::__private::bounds;
use skill_agent_models::{Provider, SchemaDialect, SchemaError, dialects, shapes};

/// That of MCP, which decoders read best, without keywords beside a choice: llama.cpp leaves these out.
static DIALECT: SchemaDialect = dialects::MCP
    .with_name("a decoder")
    .with_integer_bounds(true)
    .with_choice_siblings(false);
const DECODER: Provider = Provider {
    dialect: &DIALECT,
    shape: &shapes::MCP,
};

/// A schema to be a part of a larger one: its references are written out.
pub(super) fn part(schema: &Value) -> Result<Value, SchemaError> {
    DECODER.schema(schema)
}

/// The schema with the bounds of its integers.
pub(super) fn bounded(mut schema: Value) -> Value {
    visit_schema_mut(&mut schema, &mut |_, part| {
        part.as_object_mut().map(bounds::write);
        Descend::Into
    });
    schema
}
