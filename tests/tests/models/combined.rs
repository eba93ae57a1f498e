//! Schemas in which several parts hold for one value: `flatten`, tagged newtype variants, documented fields, `allOf`.

use crate::combined_kinds::{Folder, Kinds, tools};
use crate::common::schema_validator::SchemaValidator;
use crate::conform::conformed;
use crate::dialect_rules::mistakes;
use crate::nullable::without_nullable;
use serde_json::{Value, json};
use skill_agent::models::Provider;

const STRICT: [Provider; 2] = [Provider::OPENAI_STRICT, Provider::OPENAI_RESPONSES_STRICT];

fn with(property: &Value, definitions: &Value) -> Value {
    json!({ "type": "object", "properties": { "a": property }, "$defs": definitions })
}

fn accepts(schema: &Value, value: &Value) -> bool {
    SchemaValidator::new(schema).accepts(value)
}

#[test]
fn recursive_types_with_documented_fields_are_finite() {
    let neutral = schemars::schema_for!(Kinds).to_value();
    let parts = |schema: &Value| schema.to_string().len();
    for provider in [Provider::OPENAI_STRICT, Provider::OPENAI_RESPONSES_STRICT] {
        let schema = provider.schema(&neutral).unwrap();
        assert!(parts(&schema) < 4 * parts(&neutral), "{schema:#}");
        let of = &schema["$defs"]["Expr"]["anyOf"][1]["properties"]["Neg"]["properties"]["of"];
        assert_eq!(
            *of,
            json!({ "description": "The operand.", "anyOf": [{ "$ref": "#/$defs/Expr" }] })
        );
    }
    let folder = schemars::schema_for!(Folder).to_value();
    Provider::GEMINI.schema(&folder).unwrap();
}

#[test]
fn documented_references_do_not_grow_without_bounds() {
    let mut definitions = serde_json::Map::new();
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/L{}", level + 1), "description": "The next." });
        definitions.insert(
            format!("L{level}"),
            json!({ "type": "object", "properties": { "a": next, "b": next } }),
        );
    }
    definitions.insert("L40".to_owned(), json!({ "type": "string" }));
    let definitions = Value::from(definitions);
    let schema = with(&json!({ "$ref": "#/$defs/L0" }), &definitions);
    for provider in [Provider::GEMINI, Provider::OPENAI_CHAT] {
        provider.schema(&schema).unwrap();
    }
    // with more than annotations, the definitions are written out, up to a limit
    let mut narrowed = definitions;
    for definition in narrowed.as_object_mut().unwrap().values_mut() {
        let properties = definition
            .get_mut("properties")
            .and_then(Value::as_object_mut);
        for part in properties.into_iter().flat_map(|parts| parts.values_mut()) {
            part["minProperties"] = json!(0);
        }
    }
    let error = Provider::OPENAI_STRICT
        .schema(&with(&json!({ "$ref": "#/$defs/L0" }), &narrowed))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a schema of more than 10000 parts"),
        "{error}"
    );
}

#[test]
fn a_reference_that_is_narrowed_within_itself_is_a_recursion() {
    let definitions = json!({ "E": { "oneOf": [
        { "$ref": "#/$defs/E", "type": "object", "properties": { "by": { "const": "e" } } },
        { "type": "object", "properties": { "n": { "type": "integer" } } },
    ] } });
    for provider in STRICT {
        let schema = with(&json!({ "$ref": "#/$defs/E" }), &definitions);
        let error = provider.schema(&schema).unwrap_err().to_string();
        assert!(error.contains("a type that contains itself"), "{error}");
    }
}

#[test]
fn a_tagged_variant_keeps_the_properties_of_its_definition() {
    let neutral = with(
        &json!({ "$ref": "#/$defs/Card", "type": "object", "properties": { "by": { "const": "card" } }, "required": ["by"] }),
        &json!({ "Card": { "type": "object", "properties": { "number": { "type": "string" } }, "required": ["number"] } }),
    );
    for &provider in Provider::ALL {
        let schema = provider.schema(&neutral).unwrap();
        let mut plain = without_nullable(&schema);
        plain["$defs"] = neutral["$defs"].clone();
        let value = |number: Value| json!({ "a": { "by": "card", "number": number } });
        assert!(
            accepts(&plain, &value(json!("1"))),
            "{provider:?} {schema:#}"
        );
        assert!(
            !accepts(&plain, &value(json!(1))),
            "{provider:?} {schema:#}"
        );
    }
}

#[test]
fn keywords_beside_a_reference_that_contradict_it_are_an_error() {
    let neutral = with(
        &json!({ "$ref": "#/$defs/Card", "properties": { "by": { "const": "card" } } }),
        &json!({ "Card": { "type": "object", "properties": { "by": { "type": "integer" } } } }),
    );
    for &provider in Provider::ALL {
        let result = provider.schema(&neutral);
        let keeps_both = [
            Provider::OPENAI_CHAT,
            Provider::OPENAI_COMPATIBLE,
            Provider::OPENAI_RESPONSES,
            Provider::ANTHROPIC,
            Provider::MCP,
        ];
        match result {
            Ok(schema) => {
                assert!(keeps_both.contains(&provider), "{provider:?} {schema:#}");
                assert!(!accepts(&schema, &json!({ "a": { "by": "card" } })));
            }
            Err(error) => assert!(
                error.to_string().starts_with("`/properties/a`: ")
                    && error.to_string().contains("cannot be merged into one"),
                "{provider:?} {error}"
            ),
        }
    }
}

#[test]
fn parts_of_all_of_may_be_references_and_are_merged() {
    let object = |name: &str| json!({ "type": "object", "properties": { name: { "type": "integer" } }, "required": [name] });
    let neutral = with(
        &json!({ "allOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/B" }, object("c")] }),
        &json!({ "A": object("a"), "B": object("b") }),
    );
    for provider in STRICT {
        let schema = provider.schema(&neutral).unwrap();
        let whole = &schema["properties"]["a"]["anyOf"].as_array();
        assert!(whole.is_none(), "one object, which may be null: {schema:#}");
        assert_eq!(schema["properties"]["a"]["type"], json!(["object", "null"]));
        assert_eq!(
            schema["properties"]["a"]["required"]
                .as_array()
                .unwrap()
                .len(),
            3
        );
        assert!(accepts(
            &schema,
            &json!({ "a": { "a": 1, "b": 2, "c": 3 } })
        ));
        assert!(!accepts(
            &schema,
            &json!({ "a": { "a": 1, "b": "2", "c": 3 } })
        ));
    }
}

#[test]
fn optional_combinations_may_be_null_in_strict_mode() {
    for provider in STRICT {
        let text = with(
            &json!({ "allOf": [{ "type": "string" }], "default": "a" }),
            &json!({}),
        );
        let schema = provider.schema(&text).unwrap();
        assert!(accepts(&schema, &json!({ "a": null })), "{schema:#}");
        assert!(accepts(&schema, &json!({ "a": "b" })), "{schema:#}");
        let narrowed = with(
            &json!({ "type": "object", "oneOf": [
                { "properties": { "b": { "type": "integer" } } },
                { "properties": { "c": { "type": "integer" } } },
            ] }),
            &json!({}),
        );
        let schema = provider.schema(&narrowed).unwrap();
        for value in [
            json!({ "a": null }),
            json!({ "a": { "b": 1 } }),
            json!({ "a": { "c": 1 } }),
        ] {
            assert!(accepts(&schema, &value), "{value} {schema:#}");
        }
    }
}

#[test]
fn combinations_are_valid_and_restored_for_every_provider() {
    for (name, tool, values) in tools() {
        for &provider in Provider::ALL {
            let Ok(schema) = provider.schema(&tool.input_schema) else {
                continue; // `expressible.rs` has the list of those
            };
            let wrong = mistakes(provider, &schema);
            assert!(
                wrong.is_empty(),
                "{provider:?} {name}: {wrong:#?}\n{schema:#}"
            );
            let plain = without_nullable(&schema);
            for value in &values {
                let sent = conformed(&plain, value);
                let validator = SchemaValidator::new(&plain);
                assert!(
                    validator.accepts(&sent),
                    "{provider:?} {name}: {sent}\n{schema:#}"
                );
                let sent = sent.to_string();
                let restored = provider.restore_omitted(&tool.as_tool(), &sent);
                let restored: Value = serde_json::from_str(&restored).unwrap();
                if STRICT.contains(&provider) {
                    assert!(
                        accepts(&tool.input_schema, &restored),
                        "{provider:?} {name}: {restored}"
                    );
                }
            }
        }
    }
}
