//! Objects that take no keys but their own, said in their schemas.
//!
//! A derived schema leaves objects open, because serde's derive ignores what it does not know. State and configuration are
//! read with every unknown key refused, so their schemas say so. Where serde buffers an object before it knows its type
//! (internally tagged and untagged enums) unknown keys go unseen, and the schema stays open there.

use schemars::Schema;
use serde_json::{Map, Value, json};

/// Closes every object of `schema` in which an unknown key is refused.
pub(crate) fn closed(mut schema: Schema) -> Schema {
    if let Some(object) = schema.as_object_mut() {
        close(object);
    }
    schema
}

/// A document that is laid over another one need not be whole: where objects merge, nothing is required.
pub(crate) fn partial(mut schema: Schema) -> Schema {
    if let Some(object) = schema.as_object_mut() {
        relax(object);
    }
    schema
}

fn relax(schema: &mut Map<String, Value>) {
    if schema.get("type") != Some(&json!("object")) {
        return;
    }
    schema.remove("required");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for property in properties.values_mut() {
            if let Value::Object(property) = property {
                relax(property);
            }
        }
    }
}

fn close(schema: &mut Map<String, Value>) {
    let open = !schema.contains_key("additionalProperties");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(close_value);
        // a map says what its values are, or that they may be anything
        if open && !schema.contains_key("patternProperties") {
            schema.insert("additionalProperties".to_owned(), json!(false));
        }
    }
    for keyword in ["additionalProperties", "items"] {
        if let Some(inner) = schema.get_mut(keyword) {
            close_value(inner);
        }
    }
    if let Some(Value::Array(items)) = schema.get_mut("prefixItems") {
        items.iter_mut().for_each(close_value);
    }
    for keyword in ["$defs", "patternProperties"] {
        if let Some(Value::Object(inner)) = schema.get_mut(keyword) {
            inner.values_mut().for_each(close_value);
        }
    }
    for keyword in ["oneOf", "anyOf"] {
        if let Some(Value::Array(branches)) = schema.get_mut(keyword) {
            close_branches(branches);
        }
    }
}

fn close_value(value: &mut Value) {
    if let Value::Object(schema) = value {
        close(schema);
    }
}

fn close_branches(branches: &mut [Value]) {
    let is_null = |branch: &Value| branch.get("type").is_some_and(|kind| kind == "null");
    let is_option = branches.len() == 2 && branches.iter().any(is_null);
    for branch in branches {
        if is_option {
            close_value(branch);
        } else if is_externally_tagged(branch)
            && let Some(Value::Object(content)) = branch.get_mut("properties")
        {
            content.values_mut().for_each(close_value);
        }
    }
}

/// `{"Circle": …}`: one required key, and schemars has closed it.
fn is_externally_tagged(branch: &Value) -> bool {
    branch.get("additionalProperties") == Some(&json!(false))
        && branch
            .get("properties")
            .and_then(Value::as_object)
            .is_some_and(|properties| properties.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::super::{closed, schema_of};
    use schemars::JsonSchema;
    use serde_json::{Value, json};
    use std::collections::BTreeMap;

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Outer {
        inner: Inner,
        maybe: Option<Inner>,
        many: Vec<Inner>,
        by_name: BTreeMap<String, Inner>,
        tagged: Tagged,
        plain: Plain,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Inner {
        a: u8,
    }

    #[derive(JsonSchema)]
    #[serde(tag = "kind")]
    #[allow(dead_code, reason = "only its schema is looked at")]
    enum Tagged {
        One(Inner),
        Other { b: u8 },
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    enum Plain {
        One(Inner),
        Other,
    }

    #[test]
    fn objects_are_closed_where_unknown_keys_are_refused_and_nowhere_else() {
        let schema: Value = closed(schema_of::<Outer>()).into();
        let properties = &schema["properties"];
        for closed in [
            &schema,
            &properties["inner"],
            &properties["maybe"],
            &properties["many"]["items"],
            &properties["by_name"]["additionalProperties"],
        ] {
            assert_eq!(closed["additionalProperties"], json!(false), "{closed}");
        }
        for branch in properties["tagged"]["oneOf"].as_array().unwrap() {
            assert_eq!(branch.get("additionalProperties"), None, "{branch}");
        }
        let branches = properties["plain"]["oneOf"].as_array().unwrap();
        let one = branches
            .iter()
            .find_map(|branch| branch["properties"].get("One"))
            .unwrap();
        assert_eq!(one["additionalProperties"], json!(false));
    }
}
