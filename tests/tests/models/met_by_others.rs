//! Schemas and tools that made providers refuse the requests of other libraries.

use serde_json::{Value, json};
use skill_agent::models::{Inexpressible, Provider};

fn with(property: &Value) -> Value {
    json!({ "type": "object", "properties": { "a": property }, "required": ["a"] })
}

/// llama.cpp refuses the whole request if a pattern has no `^` and `$`, so such a pattern goes into the description.
#[test]
fn a_pattern_for_llama_cpp_begins_and_ends() {
    for pattern in [r"\S", "[a-z]+", "^a", "b$", "^a|b$", r"^a\$"] {
        let text = json!({ "type": "string", "pattern": pattern });
        let schema = Provider::OPENAI_COMPATIBLE.schema(&with(&text)).unwrap();
        let sent = &schema["properties"]["a"];
        assert_eq!(sent.get("pattern"), None, "{pattern}: {sent}");
        let described = sent["description"].as_str();
        assert!(
            described.is_some_and(|text| text.contains("pattern: ")),
            "{pattern}: {sent}"
        );
    }
    let text = json!({ "type": "string", "pattern": "^[a-z]+$" });
    let schema = Provider::OPENAI_COMPATIBLE.schema(&with(&text)).unwrap();
    assert_eq!(schema["properties"]["a"]["pattern"], "^[a-z]+$");
}

/// Keys of OData and of JSON:API.
#[test]
fn names_of_properties_that_anthropic_refuses_are_errors() {
    for name in [
        "$top",
        "@microsoft.graph.conflictBehavior",
        "filter[id]",
        "cwd?",
    ] {
        let schema = json!({ "type": "object", "properties": { "a": { "type": "object", "properties": { name: { "type": "string" } } } } });
        for provider in [Provider::ANTHROPIC, Provider::ANTHROPIC_STRICT] {
            let error = provider.schema(&schema).unwrap_err();
            let [problem] = error.problems() else {
                panic!("{error}");
            };
            assert_eq!(
                (&*problem.path, &problem.part),
                (
                    &*format!("/properties/a/properties/{name}"),
                    &Inexpressible::PropertyName
                )
            );
        }
        assert!(Provider::OPENAI_CHAT.schema(&schema).is_ok(), "{name}");
    }
}

/// Gemini's `parameters` allow `enum` for strings alone; a number there fails the whole request.
#[test]
fn an_enum_of_numbers_that_gemini_refuses_is_described() {
    let version = json!({ "type": "integer", "enum": [1, 2], "description": "The version." });
    let schema = Provider::GEMINI_LEGACY.schema(&with(&version)).unwrap();
    let version = &schema["properties"]["a"];
    assert_eq!(version.get("enum"), None, "{version}");
    let schema = Provider::GEMINI
        .schema(&with(&json!({ "type": "integer", "enum": [1, 2] })))
        .unwrap();
    assert_eq!(schema["properties"]["a"]["enum"], json!([1, 2]));
}
