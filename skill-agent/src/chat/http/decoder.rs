//! Schemas for the decoders of local servers, which leave out what they do not know.

use serde_json::Value;
use skill_core::__private::{Descend, visit_schema_mut};

use crate::models::{Provider, SchemaDialect, SchemaError, dialects, shapes};

/// That of MCP, which decoders read best, without keywords beside a choice: llama.cpp leaves these out.
static DIALECT: SchemaDialect = dialects::MCP
    .with_name("a decoder")
    .with_choice_siblings(false);
const DECODER: Provider = Provider {
    dialect: &DIALECT,
    shape: &shapes::MCP,
};

/// A schema to be a part of a larger one: its references are written out.
pub(super) fn part(schema: &Value) -> Result<Value, SchemaError> {
    DECODER.schema(schema).map(bounded)
}

/// The schema with the bounds of its integers. Schemas of Rust types have those of 32 bits as a format only, which decoders do not know;
/// a small model writes longer numbers. llama.cpp cannot read those of 64 bits, and writes no longer numbers.
pub(super) fn bounded(mut schema: Value) -> Value {
    visit_schema_mut(&mut schema, &mut |_, part| {
        let bounds: Option<(i64, i64)> = match part.get("format").and_then(Value::as_str) {
            Some("int32") => Some((i32::MIN.into(), i32::MAX.into())),
            Some("uint32") => Some((0, u32::MAX.into())),
            _ => None,
        };
        if let (Some((least, most)), Some(part)) = (bounds, part.as_object_mut()) {
            if !part.contains_key("exclusiveMinimum") {
                part.entry("minimum").or_insert(least.into());
            }
            if !part.contains_key("exclusiveMaximum") {
                part.entry("maximum").or_insert(most.into());
            }
        }
        Descend::Into
    });
    schema
}
