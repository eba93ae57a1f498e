//! The description has the keywords that a dialect lacks.

use crate::projections::schema_in;
use crate::single_arguments;
use serde_json::{Value, json};
use skill_agent::models::Provider;
use std::fmt::Display;

/// Keywords that change their form instead, or say nothing.
const STRUCTURE: [&str; 12] = [
    "type",
    "properties",
    "required",
    "items",
    "oneOf",
    "anyOf",
    "const",
    "enum",
    "$ref",
    "$defs",
    "additionalProperties",
    "description",
];

#[test]
fn a_keyword_is_kept_or_moved_into_the_description() {
    let mut moved = 0;
    for argument in single_arguments::all() {
        for &provider in Provider::ALL {
            let Ok(tool) = provider.tool(&argument.tool.as_tool()) else {
                continue;
            };
            let schema = schema_in(provider, &tool);
            let text = schema.to_string();
            for (keyword, value) in argument.schema().as_object().unwrap() {
                let is_silent = match keyword.as_str() {
                    // bounds stand for the format
                    "format"
                        if [Provider::OPENAI_COMPATIBLE, Provider::MCP].contains(&provider)
                            && text.contains("maximum") =>
                    {
                        true
                    }
                    "format" => !["int32", "uint32"].contains(&value.as_str().unwrap()),
                    "default" => value.is_null(),
                    "minItems" => *value == 0,
                    other => STRUCTURE.contains(&other),
                };
                // the type of a number implies this format
                let implied = value.to_string().replace(",\"format\":\"double\"", "");
                let has = |value: &dyn Display| text.contains(&format!("\"{keyword}\":{value}"));
                if is_silent || has(value) || has(&implied) {
                    continue;
                }
                let note = format!("{keyword}: {value}");
                let note = json!(note).to_string();
                assert!(
                    text.contains(note.trim_matches('"')),
                    "{provider:?} {}: no `{note}` in {schema:#}",
                    argument.name
                );
                moved += 1;
            }
        }
    }
    assert!(moved > 100, "{moved}");
}

#[test]
fn descriptions_stay_in_front_of_what_is_moved() {
    let word =
        json!({ "type": "string", "description": "A word.", "minLength": 2, "maxLength": 4 });
    let schema = Provider::OPENAI_STRICT.schema(&word).unwrap();
    assert_eq!(
        schema["description"],
        "A word.\n\n{minLength: 2, maxLength: 4}"
    );
    assert_eq!(schema.get("minLength"), None);
}

#[test]
fn a_tuple_is_an_array_of_its_types() {
    let pair = json!({
        "type": "array",
        "prefixItems": [{ "type": "number" }, { "type": "string" }],
        "minItems": 2,
        "maxItems": 2,
    });
    let expected = json!({
        "type": "array",
        "items": { "anyOf": [{ "type": "number" }, { "type": "string" }] },
        "minItems": 2,
        "maxItems": 2,
        "description": "{prefixItems: [{\"type\":\"number\"},{\"type\":\"string\"}]}",
    });
    for provider in [
        Provider::OPENAI_CHAT,
        Provider::OPENAI_STRICT,
        Provider::GEMINI_LEGACY,
    ] {
        assert_eq!(provider.schema(&pair).unwrap(), expected, "{provider:?}");
    }
    for provider in [Provider::GEMINI, Provider::ANTHROPIC, Provider::MCP] {
        assert_eq!(provider.schema(&pair).unwrap(), pair, "{provider:?}");
    }
}

#[test]
fn a_choice_with_null_has_the_form_of_the_dialect() {
    let optional = json!({
        "type": "object",
        "properties": {
            "colour": { "type": ["string", "null"], "enum": ["red", "green", null] },
            "size": { "type": ["integer", "null"], "minimum": 1 },
        },
        "required": ["colour"],
    });
    let of = |provider: Provider, name: &str| -> Value {
        provider.schema(&optional).unwrap()["properties"][name].clone()
    };
    assert_eq!(
        of(Provider::OPENAI_STRICT, "colour"),
        json!({ "type": ["string", "null"], "enum": ["red", "green", null] })
    );
    assert_eq!(
        of(Provider::ANTHROPIC_STRICT, "colour"),
        json!({ "enum": ["red", "green", null] })
    );
    assert_eq!(
        of(Provider::ANTHROPIC_STRICT, "size"),
        json!({ "type": "integer", "description": "{minimum: 1}" })
    );
    for provider in [Provider::GEMINI, Provider::MCP] {
        assert_eq!(
            of(provider, "colour"),
            json!({ "anyOf": [{ "type": "string", "enum": ["red", "green"] }, { "type": "null" }] }),
            "{provider:?}"
        );
    }
    assert_eq!(
        of(Provider::MCP, "size"),
        json!({ "anyOf": [{ "type": "integer", "minimum": 1 }, { "type": "null" }] })
    );
    assert_eq!(
        of(Provider::GEMINI_LEGACY, "colour"),
        json!({ "type": "string", "enum": ["red", "green"], "nullable": true })
    );
}

#[test]
fn mcp_writes_recursive_types_three_times() {
    let argument = single_arguments::all()
        .into_iter()
        .find(|argument| argument.name == "recursive.tree");
    let tool = Provider::MCP
        .tool(&argument.unwrap().tool.as_tool())
        .unwrap();
    let mut tree = &tool["inputSchema"]["properties"]["tree"];
    for _ in 0..2 {
        tree = &tree["properties"]["right"]["items"];
        assert!(tree["properties"]["size"].is_object(), "{tree:#}");
    }
    let innermost = &tree["properties"]["right"]["items"];
    assert_eq!(
        *innermost,
        json!({ "type": "object", "description": "A tree.\n\n{recursive: \"Tree\"}" })
    );
    assert_eq!(tool["inputSchema"].get("$defs"), None);
}
