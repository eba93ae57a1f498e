//! References as other programs write them.

use crate::common::schema_validator::SchemaValidator;
use crate::foreign::{arguments, refused, with};
use serde_json::{Value, json};
use skill_agent::models::{Inexpressible, Provider};

/// References as generators write them. Each allows `{"a": {"n": 1}, "b": {"n": 1}}` and not `{"a": {"n": 1}, "b": {"n": "1"}}`.
fn referring() -> Vec<(&'static str, Value)> {
    let number = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
    let mut anchored = number.clone();
    anchored["$anchor"] = json!("number");
    let mut identified = number.clone();
    identified["$id"] = json!("https://example.com/number");
    let both = |a: &Value, b: Value| json!({ "type": "object", "properties": { "a": a, "b": b }, "required": ["a", "b"] });
    let to = |target: &str| json!({ "$ref": target });
    let mut definitions = both(&to("#/definitions/N"), to("#/definitions/N"));
    definitions["definitions"] = json!({ "N": number });
    let mut by_id = both(&to("N"), to("N"));
    by_id["$defs"] =
        json!({ "number": { "$id": "N", "type": "object", "properties": number["properties"] } });
    let mut inner = both(&number, to("#/properties/a/$defs/M"));
    inner["properties"]["a"]["$defs"] = json!({ "M": number });
    let mut own = both(&number, json!({}));
    // `#` means the schema with the id
    own["properties"]["b"] = json!({
        "$id": "https://example.com/b",
        "type": "object",
        "properties": { "n": { "$ref": "#/$defs/X" } },
        "$defs": { "X": { "type": "integer" } },
    });
    own["$defs"] = json!({ "X": { "type": "string" } });
    vec![
        ("a property", both(&number, to("#/properties/a"))),
        ("definitions", definitions),
        ("an anchor", both(&anchored, to("#number"))),
        ("an id", both(&identified, to("https://example.com/number"))),
        ("the id of a definition", by_id),
        ("definitions of a part", inner),
        ("an id of its own", own),
        (
            "the whole",
            json!({ "$ref": "#/definitions/W", "definitions": { "W": both(&number, to("#/definitions/W/properties/a")) } }),
        ),
    ]
}

#[test]
fn references_keep_their_meaning_for_every_provider() {
    for (name, schema) in referring() {
        for &provider in Provider::ALL {
            let schema = arguments(provider, &schema);
            let validator = SchemaValidator::new(&schema);
            let value = |n: Value| json!({ "a": { "n": 1 }, "b": { "n": n } });
            let right = value(json!(1));
            assert!(
                validator.accepts(&right),
                "{name} {provider:?}: {}\n{schema:#}",
                validator.explain(&right)
            );
            assert!(
                !validator.accepts(&value(json!("1"))),
                "{name} {provider:?}\n{schema:#}"
            );
            let text = schema.to_string();
            let is_gone = |keyword| !text.contains(keyword);
            assert!(
                ["\"$id\"", "\"$anchor\"", "\"definitions\""]
                    .into_iter()
                    .all(is_gone),
                "{name} {provider:?}\n{schema:#}"
            );
        }
    }
}

#[test]
fn a_problem_has_the_path_of_the_schema_as_it_was_given() {
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let schema = json!({
        "type": "object",
        "properties": { "a": { "$ref": "#/definitions/M" } },
        "definitions": { "M": map },
    });
    let path = "/definitions/M".to_owned();
    assert_eq!(
        refused(Provider::OPENAI_STRICT, &schema),
        [(path, Inexpressible::Map)]
    );
    let schema = |definition: Value| json!({ "type": "object", "properties": {}, "definitions": { "M": definition } });
    for (definition, part) in [
        (json!(3), Inexpressible::NoSchema),
        (
            json!({ "$ref": "#/no" }),
            Inexpressible::Reference("#/no".to_owned()),
        ),
    ] {
        let found = refused(Provider::MCP, &schema(definition));
        assert_eq!(found, [("/definitions/M".to_owned(), part)]);
    }
    // an unused definition is not sent, and not refused
    let unused = json!({ "type": "object", "properties": {}, "definitions": { "M": map } });
    let schema = Provider::OPENAI_STRICT.schema(&unused).unwrap();
    assert_eq!(schema.get("$defs"), None);
}

#[test]
fn references_that_lead_nowhere_are_an_error() {
    for target in [
        "#/$defs/No",
        "#/properties",
        "#no",
        "no",
        "https://example.com/no",
        "#/properties/a/default",
    ] {
        let mut schema = with(&json!({ "$ref": target }));
        schema["$defs"] = json!({});
        let found = refused(Provider::OPENAI_CHAT, &schema);
        let lost = Inexpressible::Reference(target.to_owned());
        assert_eq!(found, [("/properties/a".to_owned(), lost)]);
    }
    let endless = json!({ "$ref": "#" });
    let found = refused(Provider::OPENAI_CHAT, &endless);
    assert_eq!(found, [(String::new(), Inexpressible::Recursion)]);
}
