//! Values and names that a provider refuses: an error with its path, before anything is sent.

use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::models::{Inexpressible, Provider, ToolsProblem};

const GEMINI: [Provider; 2] = [Provider::GEMINI, Provider::GEMINI_LEGACY];
const OPENAI: [Provider; 4] = [
    Provider::OPENAI_CHAT,
    Provider::OPENAI_STRICT,
    Provider::OPENAI_RESPONSES,
    Provider::OPENAI_RESPONSES_STRICT,
];

/// The arguments with one property.
fn with(property: &Value) -> Value {
    json!({ "type": "object", "properties": { "order": property }, "required": ["order"] })
}

/// The first problem of a schema.
fn problem(provider: Provider, schema: &Value) -> Option<(String, Inexpressible)> {
    let error = provider.schema(schema).err()?;
    let first = error.problems().first()?;
    Some((first.path.clone(), first.part.clone()))
}

#[test]
fn gemini_refuses_an_empty_name() {
    for (schema, path) in [
        (json!({ "type": "string", "enum": ["", "asc"] }), "/enum/0"),
        (json!({ "type": "string", "enum": ["asc", ""] }), "/enum/1"),
        (json!({ "const": "" }), "/const"),
        (
            json!({ "type": "array", "items": { "enum": ["a", ""] } }),
            "/items/enum/1",
        ),
        (
            json!({ "anyOf": [{ "type": "string", "enum": ["", "a"] }, { "type": "null" }] }),
            "/anyOf/0/enum/0",
        ),
        (
            json!({ "type": ["string", "null"], "enum": ["a", "", null] }),
            "/enum/1",
        ),
    ] {
        for provider in GEMINI {
            let expected = (
                format!("/properties/order{path}"),
                Inexpressible::EmptyString,
            );
            assert_eq!(
                problem(provider, &with(&schema)),
                Some(expected),
                "{provider:?}"
            );
        }
        for provider in [Provider::OPENAI_CHAT, Provider::ANTHROPIC, Provider::MCP] {
            assert_eq!(problem(provider, &with(&schema)), None, "{provider:?}");
        }
    }
    let error = Provider::GEMINI
        .schema(&json!({ "const": "" }))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`/const`: Gemini cannot express an empty name; write `#[serde(rename = \"…\")]` with another one, or use an `Option`"
    );
    // values that go into the description are not refused
    for schema in [
        json!({ "enum": ["", true] }),
        json!({ "type": "string", "default": "" }),
    ] {
        assert_eq!(problem(Provider::GEMINI, &with(&schema)), None);
    }
}

#[test]
fn repeated_values_and_names_are_sent_once() {
    let schema = json!({
        "type": "object",
        "properties": { "a": { "type": "string", "enum": ["x", "y", "x"] } },
        "required": ["a", "a"],
    });
    for &provider in Provider::ALL {
        let schema = provider.schema(&schema).unwrap();
        assert_eq!(schema["required"], json!(["a"]), "{provider:?}");
        assert_eq!(
            schema["properties"]["a"]["enum"],
            json!(["x", "y"]),
            "{provider:?}"
        );
    }
}

#[test]
fn the_arguments_are_no_enum_and_no_negation() {
    for (keyword, value) in [("enum", json!([{}])), ("not", json!({}))] {
        let mut schema = with(&json!({ "type": "string" }));
        schema[keyword] = value;
        let tool = ToolBuf::new("act", "Act.", schema);
        for &provider in Provider::ALL {
            let error = provider.tool(&tool.as_tool()).unwrap_err();
            assert_eq!(error.problems()[0].part, Inexpressible::Choice);
        }
    }
}

/// The problems of tools with these names.
fn problems(provider: Provider, names: &[&str]) -> Vec<ToolsProblem> {
    let tool = |name: &&str| ToolBuf::new(*name, "Act.", with(&json!({ "type": "string" })));
    let tools: Vec<ToolBuf> = names.iter().map(tool).collect();
    let tools: Vec<_> = tools.iter().map(ToolBuf::as_tool).collect();
    let error = provider.tools(&tools).err();
    error.map_or_else(Vec::new, |error| error.problems().to_vec())
}

#[test]
fn a_name_that_a_provider_refuses_is_an_error() {
    let long = "x".repeat(65);
    let is_refused = |provider, name: &str| !problems(provider, &[name]).is_empty();
    for name in ["get /whoami", "", "é", &long] {
        for provider in OPENAI
            .into_iter()
            .chain(GEMINI)
            .chain([Provider::ANTHROPIC])
        {
            assert!(is_refused(provider, name), "{provider:?} {name}");
        }
        for provider in [Provider::MCP, Provider::OPENAI_COMPATIBLE] {
            assert!(!is_refused(provider, name), "{provider:?} {name}");
        }
    }
    // Gemini takes dots and colons, and no digit in front
    assert!(is_refused(Provider::OPENAI_CHAT, "a.b") && !is_refused(Provider::GEMINI, "a.b:c-d"));
    assert!(is_refused(Provider::GEMINI, "1a") && !is_refused(Provider::OPENAI_CHAT, "1a"));
    let tool = ToolBuf::new("get/it", "Act.", with(&json!({ "type": "string" })));
    let error = Provider::OPENAI_CHAT.tools(&[tool.as_tool()]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the tool `get/it`: OpenAI refuses this name; it needs 1 to 64 letters, digits, `_` and `-`"
    );
}

#[test]
fn two_tools_of_one_name_are_an_error() {
    for &provider in Provider::ALL {
        let same = ToolsProblem::SameName {
            tool: "act".to_owned(),
        };
        assert_eq!(
            problems(provider, &["act", "look", "act"]),
            [same],
            "{provider:?}"
        );
    }
}
