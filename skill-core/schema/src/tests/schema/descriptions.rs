use crate::{describe_properties, remove_repeated_descriptions};
use serde_json::json;

#[test]
fn a_description_that_repeats_another_is_removed() {
    let mut schema = json!({
        "type": "object",
        "description": "Draw.",
        "properties": {
            "shape": {
                "description": "A shape.",
                "anyOf": [{ "oneOf": [{ "description": "A shape.", "const": 1 }] }, { "type": "null" }],
            },
            "shapes": { "description": "A shape.", "items": { "type": "string", "description": "A shape." } },
            "tree": { "description": "A tree.", "$ref": "#/$defs/Tree" },
            "first": { "description": "The first tree.", "$ref": "#/$defs/Tree" },
        },
        "$defs": { "Tree": { "description": "A tree." } },
    });
    remove_repeated_descriptions(&mut schema, "Draw.");
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {
                "shape": { "description": "A shape.", "anyOf": [{ "oneOf": [{ "const": 1 }] }, { "type": "null" }] },
                "shapes": { "description": "A shape.", "items": { "type": "string" } },
                "tree": { "$ref": "#/$defs/Tree" },
                "first": { "description": "The first tree.", "$ref": "#/$defs/Tree" },
            },
            "$defs": { "Tree": { "description": "A tree." } },
        })
    );
}

#[test]
fn descriptions_that_differ_or_belong_to_different_values_are_kept() {
    let schema = json!({
        "description": "The arguments.",
        "properties": {
            "a": { "description": "A shape.", "items": { "description": "A corner." } },
            "b": { "description": "A shape.", "properties": { "c": { "description": "A shape." } } },
        },
        "additionalProperties": false,
    });
    let mut stripped = schema.clone();
    remove_repeated_descriptions(&mut stripped, "Draw.");
    assert_eq!(stripped, schema);
}

#[test]
fn the_descriptions_of_properties_are_replaced() {
    let mut schema = json!({
        "properties": { "a": { "type": "string", "description": "Old." }, "b": { "type": "null" } },
    });
    describe_properties(
        &mut schema,
        &[("a", "New."), ("b", "None."), ("c", "Lost.")],
    );
    assert_eq!(
        schema,
        json!({
            "properties": {
                "a": { "type": "string", "description": "New." },
                "b": { "type": "null", "description": "None." },
            },
        })
    );
}
