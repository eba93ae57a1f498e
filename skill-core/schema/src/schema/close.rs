//! Adds `additionalProperties: false` where unknown keys are refused, and removes `required` where documents may be partial.
//!
//! A derived schema leaves objects open, because serde's derive ignores unknown keys. State and configuration refuse every
//! unknown key, so their schemas are closed. Internally tagged and untagged enums stay open. Serde buffers such an object before
//! it knows the type, so unknown keys cannot be detected.

use schemars::Schema;
use serde_json::{Value, json};

use crate::schema::visit::{Branch, change, subschemas_mut};

/// Closes every object in `schema` that refuses unknown keys.
pub fn closed(mut schema: Schema) -> Schema {
    change(&mut schema, close);
    schema
}

/// Returns the schema for documents that may lack struct fields: in structs, nothing is required.
pub fn partial(mut schema: Schema) -> Schema {
    change(&mut schema, relax);
    schema
}

fn relax(schema: &mut Value) {
    if schema.get("type") != Some(&json!("object")) {
        return;
    }
    if let Some(object) = schema.as_object_mut() {
        object.remove("required");
    }
    subschemas_mut(schema, &mut |branch, property| {
        if let Branch::Name("properties", _) = branch {
            relax(property);
        }
    });
}

fn close(schema: &mut Value) {
    if let Some(object) = schema.as_object_mut()
        && object.get("properties").is_some_and(Value::is_object)
        && !object.contains_key("additionalProperties")
        // a map has a schema for its values, or allows any value
        && !object.contains_key("patternProperties")
    {
        object.insert("additionalProperties".to_owned(), json!(false));
    }
    let [one_of, any_of] = ["oneOf", "anyOf"].map(|keyword| is_option(schema.get(keyword)));
    subschemas_mut(schema, &mut |branch, inner| match branch.keyword() {
        "$defs"
        | "additionalProperties"
        | "items"
        | "patternProperties"
        | "prefixItems"
        | "properties" => close(inner),
        "oneOf" if one_of => close(inner),
        "anyOf" if any_of => close(inner),
        "oneOf" | "anyOf" if is_externally_tagged(inner) => {
            subschemas_mut(inner, &mut |branch, content| {
                if let Branch::Name("properties", _) = branch {
                    close(content);
                }
            });
        }
        _ => {}
    });
}

/// Returns whether a choice is an `Option`.
fn is_option(branches: Option<&Value>) -> bool {
    let is_null = |branch: &Value| branch.get("type").is_some_and(|kind| kind == "null");
    match branches {
        Some(Value::Array(branches)) => branches.len() == 2 && branches.iter().any(is_null),
        _ => false,
    }
}

/// Returns whether a branch has the form `{"Circle": …}`: one key, closed by schemars.
fn is_externally_tagged(branch: &Value) -> bool {
    branch.get("additionalProperties") == Some(&json!(false))
        && branch
            .get("properties")
            .and_then(Value::as_object)
            .is_some_and(|properties| properties.len() == 1)
}

#[cfg(test)]
mod tests {
    use crate::{closed, schema_of};
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
