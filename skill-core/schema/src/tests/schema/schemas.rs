use serde_json::json;

use crate::tests::*;
use crate::{
    ObjectSchema, answer_schema_of, definition, generator, schema_by, schema_of, with_defaults,
};

/// A tree.
#[derive(JsonSchema)]
#[allow(dead_code)]
struct Tree {
    /// How large it is.
    size: u8,
    left: Option<Box<Tree>>,
    leaves: Vec<Leaf>,
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Leaf {
    below: Vec<Leaf>,
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Nothing {}

fn value_of<T: JsonSchema>() -> Value {
    schema_of::<T>().to_value()
}

/// Returns every `$ref` in `schema`.
fn references(schema: &Value) -> Vec<String> {
    match schema {
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(entries) => entries
            .iter()
            .flat_map(|(key, value)| match value {
                Value::String(target) if key == "$ref" => vec![target.clone()],
                value => references(value),
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn assert_is_self_contained(schema: &Value) {
    assert!(schema.get("$ref").is_none(), "{schema:#}");
    for reference in references(schema) {
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| schema.pointer(pointer));
        assert!(
            reference.starts_with("#/$defs/") && target.is_some(),
            "{reference} in {schema:#}"
        );
    }
}

#[test]
fn references_are_defined_and_never_the_root() {
    assert_is_self_contained(&value_of::<Tree>());
    assert!(value_of::<Tree>()["$defs"]["Tree"].is_object());
    assert_is_self_contained(&schema_by(Tree::json_schema).to_value());
    assert_is_self_contained(&value_of::<Vec<Tree>>());
    assert_is_self_contained(&value_of::<Option<Tree>>());
    assert_is_self_contained(&value_of::<Everything>());
    assert_eq!(
        value_of::<Everything>().get("$defs"),
        None,
        "what is not recursive is inlined"
    );
}

#[test]
fn the_schema_of_an_output_describes_what_is_written() {
    let read = value_of::<Everything>();
    let written = answer_schema_of::<Everything>().to_value();
    assert_eq!(read.get("required"), None);
    assert_eq!(written["required"].as_array().map(Vec::len), Some(19));
    assert_is_self_contained(&written);
}

#[test]
fn objects_have_properties_and_no_schema_is_a_boolean() {
    assert_eq!(value_of::<Nothing>()["properties"], json!({}));
    assert_eq!(value_of::<BTreeMap<String, u8>>()["properties"], json!({}));
    let schema = value_of::<Everything>();
    assert!(schema["properties"]["free"].is_object());
    assert_eq!(schema.get("title"), None);
    assert_eq!(schema.get("$schema"), None);
}

#[test]
fn definitions_with_the_same_name_are_kept_apart() {
    mod other {
        #[derive(schemars::JsonSchema)]
        #[allow(dead_code)]
        pub(super) struct Leaf {
            next: Option<Box<Leaf>>,
        }
    }
    let mut generator = generator();
    let (tree, leaf) = (
        generator.subschema_for::<Tree>(),
        generator.subschema_for::<other::Leaf>(),
    );
    let free = generator.subschema_for::<Value>();
    let schema = ObjectSchema::new("Woods.")
        .property("tree", tree)
        .property("leaf", leaf)
        .property("free", free)
        .finish(generator)
        .to_value();
    assert_is_self_contained(&schema);
    assert_eq!(schema["$defs"].as_object().unwrap().len(), 3);
    assert_eq!(schema["description"], "Woods.");
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["properties"]["free"], json!({}));
    assert_eq!(
        schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        in_key_order(vec!["tree", "leaf", "free"])
    );
}

#[test]
fn an_empty_object_schema_is_still_an_object() {
    let schema = ObjectSchema::new("").finish(generator()).to_value();
    let empty = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    assert_eq!(schema, empty);
}

#[test]
fn the_current_values_replace_the_defaults_of_the_type() {
    let mut everything = Everything {
        precision: 9,
        maybe: None,
        ..Everything::default()
    };
    everything.inner.count = 4;
    let mut schema = schema_of::<Everything>();
    assert_eq!(schema.as_value()["properties"]["precision"]["default"], 2);
    with_defaults(&mut schema, &serde_json::to_value(&everything).unwrap());
    let properties = &schema.as_value()["properties"];
    assert_eq!(properties["precision"]["default"], 9);
    assert_eq!(
        properties["inner"]["default"],
        json!({ "count": 4, "ratio": 0.0 })
    );
    assert_eq!(properties["inner"]["properties"]["count"]["default"], 4);
    assert_eq!(properties["maybe"]["default"], Value::Null);
    assert_eq!(
        properties["shape"]["default"],
        json!({ "Circle": { "radius": 1.0 } })
    );
    let variants = properties["shape"]["oneOf"].to_string();
    assert!(!variants.contains("default"), "{variants}");
}

#[test]
fn a_default_that_json_cannot_hold_is_left_out() {
    let everything = Everything {
        last_result: f64::NAN,
        ..Everything::default()
    };
    let mut schema = schema_of::<Everything>();
    with_defaults(&mut schema, &serde_json::to_value(&everything).unwrap());
    assert_eq!(
        schema.as_value()["properties"]["last_result"].get("default"),
        None
    );
}

#[test]
fn defaults_of_another_shape_are_ignored() {
    let before = schema_of::<Everything>();
    for odd in [
        json!(null),
        json!([]),
        json!({ "nothing": 1 }),
        json!({ "inner": {} }),
    ] {
        let mut schema = before.clone();
        with_defaults(&mut schema, &odd);
        assert_eq!(schema.get("required"), before.get("required"));
    }
    let mut anything = schemars::Schema::from(true);
    with_defaults(&mut anything, &json!({ "a": 1 }));
    assert_eq!(anything, true);
}

/// A folder.
#[derive(JsonSchema)]
#[schemars(rename = "Größe <u8>")]
#[allow(dead_code)]
struct Named {
    within: Option<Box<Named>>,
}

#[test]
fn references_to_names_with_other_characters_are_followed() {
    let schema = generator().into_root_schema_for::<Vec<Named>>().to_value();
    let reference = references(&schema).pop().unwrap();
    assert!(reference.contains("%C3%B6"), "{reference}");
    let named = definition(&schema, &reference).unwrap();
    assert_eq!(named["description"], "A folder.");
    assert!(definition(&schema, "#/$defs/Gr%C3").is_none());
    let percent = json!({ "$defs": { "100%": 1, "%zz": 2 } });
    assert_eq!(definition(&percent, "#/$defs/100%"), Some(&json!(1)));
    assert_eq!(definition(&percent, "#/$defs/%zz"), Some(&json!(2)));
}
