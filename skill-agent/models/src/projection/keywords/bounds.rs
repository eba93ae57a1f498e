//! Adds the bounds of integers for readers that do not know the formats.

use skill_core::serde_json::{Value, json};

use crate::projection::Object;

/// Adds the bounds of a 32-bit integer as keywords. The schemas of Rust types state them only as a format, and small models write
/// longer numbers. llama.cpp cannot parse 64-bit bounds and generates no numbers longer than that.
pub fn write(object: &mut Object) {
    let bounds: Option<(i64, i64)> = match object.get("format").and_then(Value::as_str) {
        Some("int32") => Some((i32::MIN.into(), i32::MAX.into())),
        Some("uint32") => Some((0, u32::MAX.into())),
        _ => None,
    };
    let Some((least, most)) = bounds else { return };
    if !object.contains_key("exclusiveMinimum") {
        object.entry("minimum").or_insert(json!(least));
    }
    if !object.contains_key("exclusiveMaximum") {
        object.entry("maximum").or_insert(json!(most));
    }
}
