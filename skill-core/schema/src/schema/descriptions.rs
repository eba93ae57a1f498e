//! The descriptions in a tool's schema. A model reads all of them, so a repeated description only costs tokens.

use crate::schema::node::percent_decoded;
use crate::schema::visit::subschemas_mut;
use serde_json::{Map, Value};

/// Replaces the descriptions of properties. Ignores names that the schema does not have.
pub fn describe_properties(schema: &mut Value, descriptions: &[(&str, &str)]) {
    for (name, text) in descriptions {
        let properties = schema.get_mut("properties");
        let property = properties.and_then(|properties| properties.get_mut(*name));
        if let Some(Value::Object(property)) = property {
            property.insert("description".to_owned(), (*text).into());
        }
    }
}

/// Removes repeated descriptions: the root's description if it equals the tool's description `known`, and each type's description
/// if the enclosing property, optional value or list has the same one.
pub fn remove_repeated_descriptions(schema: &mut Value, known: &str) {
    let definitions = schema.get("$defs").and_then(Value::as_object);
    let definitions = definitions.cloned().unwrap_or_default();
    remove_repeated(schema, Some(known), &definitions);
}

/// Removes repeated descriptions below `schema`. `above` is the description of the enclosing schema, if that schema describes the
/// same value, or the list or optional value that contains it.
fn remove_repeated(schema: &mut Value, above: Option<&str>, definitions: &Map<String, Value>) {
    let own = description(schema).map(str::to_owned);
    if let (Some(own), Some(fields)) = (&own, schema.as_object_mut()) {
        let name = fields.get("$ref").and_then(Value::as_str);
        let name = name.and_then(|reference| reference.strip_prefix("#/$defs/"));
        let target = name.and_then(|name| description(definitions.get(&*percent_decoded(name))?));
        if above == Some(own) || target == Some(own) {
            // `remove` would change the order of the other keys
            fields.retain(|key, _| key != "description");
        }
    }
    let above = own.as_deref().or(above);
    subschemas_mut(schema, &mut |branch, part| {
        let is_same_value = matches!(
            branch.keyword(),
            "additionalProperties" | "allOf" | "anyOf" | "items" | "oneOf" | "prefixItems"
        );
        remove_repeated(part, above.filter(|_| is_same_value), definitions);
    });
}

fn description(schema: &Value) -> Option<&str> {
    schema.get("description").and_then(Value::as_str)
}
