//! The types that a provider cannot express, with the path.

use crate::single_arguments;
use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::models::{Inexpressible, Provider};

/// The arguments of `argument_kinds` and `combined_kinds` that some provider cannot express.
#[rustfmt::skip]
const INEXPRESSIBLE: &[(&str, Provider, &str, Inexpressible)] = &[
    ("renames.from-date", Provider::GEMINI_LEGACY, "/properties/from-date", Inexpressible::PropertyName),
    ("lengths.map", Provider::OPENAI_STRICT, "/properties/map", Inexpressible::Map),
    ("lengths.map", Provider::ANTHROPIC_STRICT, "/properties/map", Inexpressible::Map),
    ("lengths.map", Provider::GEMINI_LEGACY, "/properties/map", Inexpressible::Map),
    ("recursive.tree", Provider::ANTHROPIC_STRICT, "/properties/tree/properties/left/anyOf/0", Inexpressible::Recursion),
    ("recursive.tree", Provider::GEMINI_LEGACY, "/properties/tree/properties/left/anyOf/0", Inexpressible::Recursion),
    ("recursive.trees", Provider::ANTHROPIC_STRICT, "/properties/trees/items/properties/left/anyOf/0", Inexpressible::Recursion),
    ("recursive.trees", Provider::GEMINI_LEGACY, "/properties/trees/items/properties/left/anyOf/0", Inexpressible::Recursion),
    ("recursive.perhaps", Provider::ANTHROPIC_STRICT, "/properties/perhaps/properties/left/anyOf/0", Inexpressible::Recursion),
    ("recursive.perhaps", Provider::GEMINI_LEGACY, "/properties/perhaps/properties/left/anyOf/0", Inexpressible::Recursion),
    ("maps.prices", Provider::OPENAI_STRICT, "/properties/prices", Inexpressible::Map),
    ("maps.prices", Provider::ANTHROPIC_STRICT, "/properties/prices", Inexpressible::Map),
    ("maps.prices", Provider::GEMINI_LEGACY, "/properties/prices", Inexpressible::Map),
    ("maps.by_number", Provider::OPENAI_STRICT, "/properties/by_number", Inexpressible::Map),
    ("maps.by_number", Provider::ANTHROPIC_STRICT, "/properties/by_number", Inexpressible::Map),
    ("maps.by_number", Provider::GEMINI_LEGACY, "/properties/by_number", Inexpressible::Map),
    ("maps.people", Provider::OPENAI_STRICT, "/properties/people", Inexpressible::Map),
    ("maps.people", Provider::ANTHROPIC_STRICT, "/properties/people", Inexpressible::Map),
    ("maps.people", Provider::GEMINI_LEGACY, "/properties/people", Inexpressible::Map),
    ("free.value", Provider::OPENAI_STRICT, "/properties/value", Inexpressible::AnyValue),
    ("free.value", Provider::ANTHROPIC_STRICT, "/properties/value", Inexpressible::AnyValue),
    ("free.value", Provider::GEMINI_LEGACY, "/properties/value", Inexpressible::AnyValue),
    ("free.values", Provider::OPENAI_STRICT, "/properties/values/items", Inexpressible::AnyValue),
    ("free.values", Provider::ANTHROPIC_STRICT, "/properties/values/items", Inexpressible::AnyValue),
    ("free.values", Provider::GEMINI_LEGACY, "/properties/values/items", Inexpressible::AnyValue),
    ("combined.expr", Provider::ANTHROPIC_STRICT, "/properties/expr", Inexpressible::Recursion),
    ("combined.expr", Provider::GEMINI, "/properties/expr", Inexpressible::RequiredRecursion),
    ("combined.expr", Provider::GEMINI_LEGACY, "/properties/expr", Inexpressible::Recursion),
    ("combined.tagged", Provider::ANTHROPIC_STRICT, "/properties/tagged", Inexpressible::Recursion),
    ("combined.tagged", Provider::GEMINI, "/properties/tagged", Inexpressible::RequiredRecursion),
    ("combined.tagged", Provider::GEMINI_LEGACY, "/properties/tagged", Inexpressible::Recursion),
    ("combined.folder", Provider::ANTHROPIC_STRICT, "/properties/folder", Inexpressible::Recursion),
    ("combined.folder", Provider::GEMINI_LEGACY, "/properties/folder", Inexpressible::Recursion),
];

#[test]
fn only_the_listed_arguments_cannot_be_expressed() {
    let mut found = Vec::new();
    for argument in single_arguments::all() {
        for &provider in Provider::ALL {
            let error = match provider.tool(&argument.tool.as_tool()) {
                // the same dialect as Chat Completions
                Err(_) if provider == Provider::OPENAI_RESPONSES_STRICT => continue,
                Err(error) => error,
                Ok(_) => continue,
            };
            for problem in error.problems() {
                let name = argument.name.replace("rename-it", "renames");
                found.push((name, provider, problem.path.clone(), problem.part.clone()));
            }
        }
    }
    let listed = INEXPRESSIBLE.iter().map(|(name, provider, path, part)| {
        (
            (*name).to_owned(),
            *provider,
            (*path).to_owned(),
            part.clone(),
        )
    });
    assert_eq!(found, listed.collect::<Vec<_>>());
}

fn refused(provider: Provider, schema: Value) -> String {
    let tool = ToolBuf::new("act", "Act.", schema);
    provider.tools([&tool.as_tool()]).unwrap_err().to_string()
}

fn with(property: Value) -> Value {
    json!({ "type": "object", "properties": { "a": property }, "required": ["a"] })
}

#[test]
fn a_tool_that_does_not_fit_is_an_error_with_the_path_and_a_remedy() {
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    assert_eq!(
        refused(
            Provider::OPENAI_STRICT,
            with(json!({ "type": "array", "items": map }))
        ),
        "the tool `act`: `/properties/a/items`: OpenAI strict cannot express a map; use a list of structs with the key and the value"
    );
    assert_eq!(
        refused(
            Provider::ANTHROPIC_STRICT,
            with(json!({ "description": "Anything." }))
        ),
        "the tool `act`: `/properties/a`: Anthropic strict cannot express a value of any type; use a struct, an enum or a string"
    );
    assert_eq!(
        refused(
            Provider::GEMINI_LEGACY,
            with(json!({ "type": "object", "properties": {} }))
        ),
        "the tool `act`: `/properties/a`: Gemini legacy cannot express an object without properties; add a field or use a boolean"
    );
}

#[test]
fn arguments_are_an_object_and_no_choice() {
    for &provider in Provider::ALL {
        let choice =
            json!({ "type": "object", "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] });
        assert!(refused(provider, choice).contains("cannot express a choice as the arguments"));
        assert!(refused(provider, json!({ "type": "string" })).contains("that are not an object"));
        assert!(refused(provider, json!(true)).contains("that are not an object"));
    }
}

#[test]
fn an_array_without_items_has_items_of_any_type() {
    let list = with(json!({ "type": "array" }));
    for provider in [Provider::OPENAI_CHAT, Provider::OPENAI_RESPONSES] {
        let schema = provider.schema(&list).unwrap();
        assert_eq!(
            schema["properties"]["a"],
            json!({ "type": "array", "items": {} })
        );
    }
    for provider in [
        Provider::OPENAI_STRICT,
        Provider::ANTHROPIC_STRICT,
        Provider::GEMINI_LEGACY,
    ] {
        assert!(
            refused(provider, list.clone()).contains("`/properties/a`"),
            "{provider:?}"
        );
    }
}

#[test]
fn values_that_an_enum_cannot_list_are_in_the_description() {
    let levels = with(json!({ "enum": [1, 2] }));
    let schema = Provider::GEMINI_LEGACY.schema(&levels).unwrap();
    assert_eq!(
        schema["properties"]["a"],
        json!({ "type": "integer", "description": "{enum: [1,2]}" })
    );
    let pairs = with(json!({ "enum": [[1], null] }));
    assert!(refused(Provider::ANTHROPIC_STRICT, pairs).contains("a value of any type"));
}

#[test]
fn references_lead_somewhere() {
    for &provider in Provider::ALL {
        let error = refused(provider, with(json!({ "$ref": "#/$defs/Missing" })));
        assert!(
            error.contains("the reference `#/$defs/Missing`, which leads to no schema"),
            "{error}"
        );
    }
}

#[test]
fn gemini_expresses_recursion_only_in_optional_properties() {
    let recursive = |required: Value| {
        json!({
            "type": "object",
            "properties": { "a": { "$ref": "#/$defs/Tree" } },
            "required": ["a"],
            "$defs": { "Tree": {
                "type": "object",
                "properties": { "size": { "type": "integer" }, "parts": { "type": "array", "items": { "$ref": "#/$defs/Tree" } } },
                "required": required,
            } },
        })
    };
    let tool = ToolBuf::new("act", "Act.", recursive(json!(["size"])));
    Provider::GEMINI.tool(&tool.as_tool()).unwrap();
    assert_eq!(
        refused(Provider::GEMINI, recursive(json!(["size", "parts"]))),
        "the tool `act`: `/properties/a`: Gemini cannot express a type that contains itself in a required property; \
         add `#[serde(default)]` to the field"
    );
}

#[test]
fn flattened_choices_are_distributed_in_strict_mode() {
    let flattened = json!({
        "type": "object",
        "properties": { "id": { "type": "integer" } },
        "required": ["id"],
        "oneOf": [
            { "type": "object", "properties": { "by": { "type": "string", "const": "card" } }, "required": ["by"] },
            { "type": "object", "properties": { "by": { "type": "string", "const": "cash" } }, "required": ["by"] },
        ],
    });
    let schema = Provider::OPENAI_STRICT
        .schema(&with(flattened.clone()))
        .unwrap();
    let alternative = |by: &str| {
        json!({
            "type": "object",
            "properties": { "id": { "type": "integer" }, "by": { "type": "string", "const": by } },
            "required": ["id", "by"],
            "additionalProperties": false,
        })
    };
    assert_eq!(
        schema["properties"]["a"],
        json!({ "anyOf": [alternative("card"), alternative("cash")] })
    );

    let mut clashing = flattened;
    clashing["properties"]["by"] = json!({ "type": "integer" });
    assert!(refused(Provider::OPENAI_STRICT, with(clashing)).contains("cannot be merged into one"));
}

#[test]
fn a_schema_may_not_be_huge() {
    // each definition has the next one ten times
    let mut definitions = serde_json::Map::new();
    for level in 0..6 {
        let next = json!({ "$ref": format!("#/$defs/L{}", level + 1) });
        let properties: serde_json::Map<String, Value> = (0..10)
            .map(|index| (format!("p{index}"), next.clone()))
            .collect();
        definitions.insert(
            format!("L{level}"),
            json!({ "type": "object", "properties": properties }),
        );
    }
    definitions.insert("L6".to_owned(), json!({ "type": "string" }));
    let mut schema = with(json!({ "$ref": "#/$defs/L0" }));
    schema["$defs"] = definitions.into();
    assert!(refused(Provider::MCP, schema.clone()).contains("a schema of more than 10000 parts"));
    let tool = ToolBuf::new("act", "Act.", schema);
    Provider::OPENAI_CHAT.tool(&tool.as_tool()).unwrap();
}

#[test]
fn names_of_definitions_may_have_other_characters() {
    let mut schema = with(json!({ "$ref": "#/$defs/Gr%C3%B6%C3%9Fe%3Cu8%3E" }));
    schema["$defs"] = json!({ "Größe<u8>": { "type": "integer" } });
    for &provider in Provider::ALL {
        let projected = provider.schema(&schema).unwrap();
        let property = &projected["properties"]["a"];
        let is_kept = projected.get("$defs").is_some() && property.get("$ref").is_some();
        assert!(
            is_kept || *property == json!({ "type": "integer" }),
            "{provider:?}: {projected}"
        );
    }
}
