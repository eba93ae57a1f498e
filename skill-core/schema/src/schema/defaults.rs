//! Writes the default values into a schema.
//!
//! A derived schema shows the type's defaults. An agent's defaults also include its configuration.

use schemars::Schema;
use serde_json::Value;

use crate::schema::node::SchemaNode;
use crate::schema::visit::{Branch, change, subschemas_mut};

/// Sets the `default` of every property in `schema` to the value at the same path in `defaults`.
///
/// The properties of a nested object get their own defaults. A `default` of the object itself is replaced, but none is added. A
/// choice (`oneOf`, `anyOf`) is treated as one value. If `defaults` has `null` for a property that cannot be `null`, the
/// `default` is removed, because serde_json writes NaN as `null`.
pub fn with_defaults(schema: &mut Schema, defaults: &Value) {
    change(schema, |schema| apply(schema, defaults));
}

fn apply(schema: &mut Value, defaults: &Value) {
    let Value::Object(defaults) = defaults else {
        return;
    };
    subschemas_mut(schema, &mut |branch, property| {
        if let Branch::Name("properties", key) = branch
            && let Some(value) = defaults.get(key)
        {
            apply_one(property, value);
        }
    });
}

fn apply_one(property: &mut Value, value: &Value) {
    let node = SchemaNode::root(property);
    let is_removed = value.is_null() && !allows_null(node);
    let has_parts = has_parts(node) && value.is_object();
    let Value::Object(keywords) = property else {
        return;
    };
    if is_removed {
        keywords.remove("default");
        return;
    }
    if !has_parts || keywords.contains_key("default") {
        keywords.insert("default".to_owned(), value.clone());
    }
    if has_parts {
        apply(property, value);
    }
}

fn has_parts(schema: SchemaNode<'_>) -> bool {
    schema.properties().next().is_some()
        && schema.keyword("oneOf").is_none()
        && schema.keyword("anyOf").is_none()
}

fn allows_null(schema: SchemaNode<'_>) -> bool {
    match schema.keyword("type") {
        Some(Value::String(kind)) => kind == "null",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "null"),
        _ => true,
    }
}
