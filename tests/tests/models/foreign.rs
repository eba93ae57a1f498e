//! Schemas that other programs wrote, such as those of the tools of an MCP server.

use crate::common::schema_validator::SchemaValidator;
use crate::dialect_rules::mistakes;
use crate::nullable::without_nullable;
use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::models::{Inexpressible, Provider};

const STRICT: [Provider; 2] = [Provider::OPENAI_STRICT, Provider::OPENAI_RESPONSES_STRICT];

pub(crate) fn with(property: &Value) -> Value {
    json!({ "type": "object", "properties": { "a": property }, "required": ["a"] })
}

fn projected(provider: Provider, property: &Value) -> Value {
    let schema = provider.schema(&with(property)).unwrap();
    schema["properties"]["a"].clone()
}

/// The arguments of a tool as the provider reads them. They are a schema that a validator compiles, so that no reference is lost.
pub(crate) fn arguments(provider: Provider, schema: &Value) -> Value {
    let tool = ToolBuf::new("act", "Act.", schema.clone());
    let tool = provider.tool(&tool.as_tool());
    let tool = tool.unwrap_or_else(|error| panic!("{provider:?}: {error}\n{schema:#}"));
    let schema = crate::projections::schema_in(provider, &tool);
    let wrong = mistakes(provider, &schema);
    assert!(wrong.is_empty(), "{provider:?}: {wrong:#?}\n{schema:#}");
    let plain = without_nullable(&schema);
    let _ = SchemaValidator::new(&plain);
    plain
}

pub(crate) fn refused(provider: Provider, schema: &Value) -> Vec<(String, Inexpressible)> {
    let error = provider.schema(schema).unwrap_err();
    let problems = error.problems().iter();
    problems
        .map(|problem| (problem.path.clone(), problem.part.clone()))
        .collect()
}

#[test]
fn a_pattern_that_a_provider_refuses_is_in_the_description() {
    for pattern in [
        "^(?!admin).*$",
        "^(?=.*@).+$",
        "(?<=a)b",
        "(?<!a)b",
        r"(a)\1",
        r"^[\p{L}\p{N}_ .()-]+$",
        r"^[^\0]*$",
        r"^[a-z@#+\-=[\]{}|]*$",
        "(?<year>[0-9]{4})",
    ] {
        let text = json!({ "type": "string", "pattern": pattern, "description": "A name." });
        let note = json!({ "pattern": pattern }).to_string();
        let note = note
            .trim_matches(['{', '}'])
            .replacen("\"pattern\":", "pattern: ", 1);
        for provider in [
            Provider::OPENAI_CHAT,
            Provider::OPENAI_STRICT,
            Provider::OPENAI_RESPONSES,
            Provider::OPENAI_RESPONSES_STRICT,
            Provider::ANTHROPIC_STRICT,
            Provider::GEMINI,
            Provider::GEMINI_LEGACY,
        ] {
            let schema = projected(provider, &text);
            assert_eq!(schema.get("pattern"), None, "{provider:?} {pattern}");
            assert_eq!(
                schema["description"],
                format!("A name.\n\n{{{note}}}"),
                "{provider:?} {pattern}"
            );
        }
        for provider in [Provider::ANTHROPIC, Provider::MCP] {
            assert_eq!(projected(provider, &text), text, "{provider:?}");
        }
    }
    // an escaped parenthesis, and one in brackets
    for pattern in [r"^\(?=a$", "^[(?!]$", r"^\d{2,4}(?:-[a-z]+)*$"] {
        let text = json!({ "type": "string", "pattern": pattern });
        for provider in [Provider::OPENAI_STRICT, Provider::OPENAI_CHAT] {
            assert_eq!(projected(provider, &text), text, "{provider:?}");
        }
    }
}

#[test]
fn patterns_of_keys_follow_the_same_rule() {
    let map = |pattern: &str| json!({ "type": "object", "properties": {}, "patternProperties": { pattern: { "type": "integer" } } });
    let common = map("^x-");
    assert_eq!(projected(Provider::OPENAI_CHAT, &common), common);
    let schema = projected(Provider::OPENAI_CHAT, &map("^(?!x)"));
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {},
            "additionalProperties": { "type": "integer" },
            "description": r#"{patternProperties: {"^(?!x)":{"type":"integer"}}}"#,
        })
    );
}

#[test]
fn an_object_is_one_without_a_type_too() {
    let inner = json!({ "properties": { "b": { "type": "string" } }, "required": ["b"] });
    let schema = json!({ "properties": { "a": inner, "c": inner }, "required": ["a"] });
    for &provider in Provider::ALL {
        let schema = arguments(provider, &schema);
        assert_eq!(schema["type"], "object", "{provider:?}");
        let a = &schema["properties"]["a"];
        assert_eq!(a["type"], "object", "{provider:?}: {schema:#}");
        let validator = SchemaValidator::new(&schema);
        let (right, wrong) = (json!({ "b": "x" }), json!("x"));
        assert!(validator.accepts(&json!({ "a": right, "c": right })));
        assert!(!validator.accepts(&json!({ "a": wrong, "c": right })));
    }
    for provider in STRICT {
        let schema = arguments(provider, &schema);
        assert_eq!(schema["properties"]["a"]["additionalProperties"], false);
        assert_eq!(schema["properties"]["c"]["type"], json!(["object", "null"]));
        let tool = ToolBuf::new("act", "Act.", inner_optional());
        let restored = provider.restore_omitted(&tool.as_tool(), r#"{"c":null}"#);
        assert_eq!(restored, "{}");
    }
}

fn inner_optional() -> Value {
    json!({ "properties": { "c": { "properties": { "b": { "type": "string" } } } } })
}

#[test]
fn other_types_are_named_by_their_keywords_too() {
    for (schema, kind) in [
        (json!({ "items": { "type": "string" } }), "array"),
        (json!({ "pattern": "^a$" }), "string"),
        (json!({ "minimum": 1, "multipleOf": 2 }), "number"),
    ] {
        for provider in [Provider::OPENAI_STRICT, Provider::ANTHROPIC_STRICT] {
            assert_eq!(projected(provider, &schema)["type"], kind, "{provider:?}");
        }
    }
    let mixed = json!({ "minimum": 1, "minLength": 1 });
    let found = refused(Provider::OPENAI_STRICT, &with(&mixed));
    assert_eq!(
        found,
        [("/properties/a".to_owned(), Inexpressible::AnyValue)]
    );
    // what is left out by `not` stays as it was
    let not = json!({ "type": "object", "properties": {}, "not": { "required": ["b"] } });
    assert_eq!(projected(Provider::ANTHROPIC, &not), not);
}

#[test]
fn arguments_that_say_nothing_are_an_object() {
    for schema in [
        json!({}),
        json!({ "type": "object" }),
        json!({ "description": "None." }),
    ] {
        for &provider in Provider::ALL {
            if provider == Provider::GEMINI_LEGACY {
                continue; // leaves the schema out
            }
            let schema = arguments(provider, &schema);
            assert_eq!(
                (&schema["type"], &schema["properties"]),
                (&json!("object"), &json!({})),
                "{provider:?}"
            );
        }
    }
}

#[test]
fn what_is_not_a_schema_is_an_error_with_its_path() {
    let no_schema = |path: &str| vec![(path.to_owned(), Inexpressible::NoSchema)];
    for &provider in Provider::ALL {
        for value in [json!(null), json!(3), json!("string"), json!([{}])] {
            assert_eq!(refused(provider, &value), no_schema(""));
            assert_eq!(refused(provider, &with(&value)), no_schema("/properties/a"));
            let list =
                json!({ "type": "array", "items": { "anyOf": [{ "type": "null" }, value] } });
            assert_eq!(refused(provider, &list), no_schema("/items/anyOf/1"));
        }
        for (keyword, value) in [
            ("type", json!("text")),
            ("type", json!(["string", 1])),
            ("type", json!([])),
            ("properties", json!([])),
            ("properties", json!("a")),
            ("required", json!("a")),
            ("required", json!([1])),
            ("anyOf", json!({})),
            ("oneOf", json!([])),
            ("enum", json!("a")),
            ("enum", json!([])),
            ("minimum", json!("1")),
            ("multipleOf", json!(0)),
            ("minLength", json!(-1)),
            ("maxItems", json!(1.5)),
            ("pattern", json!(["a"])),
            ("description", json!({})),
            ("$ref", json!(1)),
            ("$defs", json!([])),
            ("uniqueItems", json!("yes")),
        ] {
            let found = refused(provider, &with(&json!({ keyword: value })));
            let is_found = matches!(
                &found[..],
                [(path, Inexpressible::Keyword { keyword: named, .. })] if path == "/properties/a" && named == keyword
            );
            assert!(is_found, "{provider:?} {keyword}: {value}: {found:?}");
        }
    }
    let error = Provider::OPENAI_STRICT.schema(&with(&json!({ "type": "text", "minimum": "1" })));
    assert_eq!(
        error.unwrap_err().to_string(),
        "`/properties/a`: OpenAI strict cannot express this value of `type`; write `array`, `boolean`, `integer`, `null`, `number`, \
         `object`, `string` or a list of these\n\
         `/properties/a`: OpenAI strict cannot express this value of `minimum`; write a number"
    );
    assert_eq!(
        Provider::MCP
            .schema(&json!("string"))
            .unwrap_err()
            .to_string(),
        "MCP cannot express a value that is not a schema; write an object or a boolean"
    );
}

#[test]
fn keywords_of_other_tools_are_not_described() {
    let text = json!({
        "type": "string",
        "description": "A town.",
        "x-order": 3,
        "markdownDescription": "A **town**.",
        "enumDescriptions": ["a"],
        "xml": { "name": "town" },
        "discriminator": { "propertyName": "kind" },
        "$comment": "internal",
        "$dynamicAnchor": "town",
        "~standard": { "vendor": "zod" },
        "minLength": 2,
    });
    for provider in [
        Provider::OPENAI_STRICT,
        Provider::ANTHROPIC_STRICT,
        Provider::GEMINI,
    ] {
        assert_eq!(
            projected(provider, &text),
            json!({ "type": "string", "description": "A town.\n\n{minLength: 2}" }),
            "{provider:?}"
        );
    }
    assert_eq!(
        projected(Provider::GEMINI_LEGACY, &text),
        json!({ "type": "string", "description": "A town.", "minLength": 2 })
    );
}

#[test]
fn equal_numbers_are_one_constant() {
    let tagged = |one: Value, other: Value| {
        json!({
            "type": "object",
            "properties": { "v": { "const": one }, "n": { "type": "integer" } },
            "required": ["v"],
            "allOf": [{ "properties": { "v": { "const": other } } }],
        })
    };
    for provider in STRICT {
        let schema = projected(provider, &tagged(json!(1), json!(1.0)));
        let constant = schema["properties"]["v"]["const"].as_f64();
        assert_eq!(constant, Some(1.0), "{schema:#}");
        let found = refused(provider, &with(&tagged(json!(1), json!(2))));
        assert_eq!(found[0].1, Inexpressible::Combination);
        // the null of an omitted value is found in the alternative with the constant
        let version = |constant: Value, key: &str| {
            json!({
                "type": "object",
                "properties": { "v": { "const": constant }, key: { "type": "integer" } },
                "required": ["v"],
            })
        };
        let choice = json!({ "oneOf": [version(json!(2), "a"), version(json!(1), "a")] });
        let tool = ToolBuf::new("act", "Act.", with(&choice));
        let sent = r#"{"a":{"v":1.0,"a":null}}"#;
        let restored = provider.restore_omitted(&tool.as_tool(), sent);
        assert_eq!(restored, r#"{"a":{"v":1.0}}"#);
    }
    // `1.0` is an integer
    let listed = json!({ "type": ["integer", "null"], "enum": [1.0, 2, null] });
    assert_eq!(
        projected(Provider::MCP, &listed),
        json!({ "anyOf": [{ "type": "integer", "enum": [1.0, 2] }, { "type": "null" }] })
    );
    let untyped = json!({ "enum": [1.0, 2.5] });
    assert_eq!(
        projected(Provider::OPENAI_STRICT, &untyped)["type"],
        "number"
    );
}

#[test]
fn words_of_older_drafts_are_read() {
    let pair = json!({
        "type": "array",
        "items": [{ "type": "string" }, { "type": "integer" }],
        "additionalItems": false,
    });
    assert_eq!(
        projected(Provider::ANTHROPIC, &pair),
        json!({
            "type": "array",
            "prefixItems": [{ "type": "string" }, { "type": "integer" }],
            "items": { "not": {} },
        })
    );
    let bounds = json!({
        "type": "integer",
        "minimum": 0,
        "exclusiveMinimum": true,
        "maximum": 9,
        "exclusiveMaximum": false,
    });
    assert_eq!(
        projected(Provider::ANTHROPIC, &bounds),
        json!({ "type": "integer", "exclusiveMinimum": 0, "maximum": 9 })
    );
    let nullable = json!({ "type": "string", "nullable": true });
    assert_eq!(
        projected(Provider::OPENAI_STRICT, &nullable),
        json!({ "type": ["string", "null"] })
    );
    assert_eq!(
        projected(Provider::GEMINI_LEGACY, &nullable),
        json!({ "type": "string", "nullable": true })
    );
    let schema = json!({ "type": "object", "properties": { "a": nullable } });
    let tool = ToolBuf::new("act", "Act.", schema);
    let sent = r#"{"a":null}"#;
    let restored = Provider::OPENAI_STRICT.restore_omitted(&tool.as_tool(), sent);
    assert_eq!(restored, sent);
}

#[test]
fn required_keys_without_a_property_are_described() {
    let schema = json!({ "type": "object", "properties": { "b": { "type": "string" } }, "required": ["b", "c"] });
    for provider in [
        Provider::ANTHROPIC_STRICT,
        Provider::GEMINI,
        Provider::GEMINI_LEGACY,
        Provider::OPENAI_STRICT,
    ] {
        let schema = projected(provider, &schema);
        assert_eq!(schema["required"], json!(["b"]), "{provider:?}");
        let description = schema["description"].as_str().unwrap_or_default();
        assert!(description.contains("\"c\""), "{provider:?}: {description}");
    }
}

/// No provider takes `allOf` or a reference beside other keywords as the arguments.
#[test]
fn parts_of_the_arguments_are_one_object() {
    let object = |name: &str| json!({ "type": "object", "properties": { name: { "type": "integer" } }, "required": [name], "additionalProperties": false });
    let definitions =
        json!({ "A": object("a"), "B": { "allOf": [{ "$ref": "#/$defs/A" }, object("b")] } });
    for schema in [
        json!({ "allOf": [object("a"), object("b")] }),
        json!({ "type": "object", "properties": { "a": { "type": "integer" } }, "required": ["a"], "allOf": [object("b")] }),
        json!({ "allOf": [{ "$ref": "#/$defs/A" }, object("b")], "$defs": definitions }),
        json!({ "allOf": [{ "$ref": "#/$defs/B" }], "$defs": definitions }),
        json!({ "allOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/B" }], "$defs": definitions }),
        json!({ "allOf": [{ "$ref": "#/$defs/B" }, { "$ref": "#/$defs/A" }], "$defs": definitions }),
        json!({ "$ref": "#/$defs/A", "properties": { "b": { "type": "integer" } }, "required": ["b"], "$defs": definitions }),
    ] {
        for &provider in Provider::ALL {
            let sent = arguments(provider, &schema);
            assert_eq!(
                sent["type"].as_str().map(str::to_lowercase).as_deref(),
                Some("object"),
                "{provider:?} {sent:#}"
            );
            for keyword in ["allOf", "$ref", "$defs"] {
                assert_eq!(sent.get(keyword), None, "{provider:?} {sent:#}");
            }
            let validator = SchemaValidator::new(&sent);
            assert!(
                validator.accepts(&json!({ "a": 1, "b": 2 })),
                "{provider:?} {sent:#}"
            );
            for wrong in [
                json!({ "a": 1 }),
                json!({ "b": 2 }),
                json!({ "a": 1, "b": "2" }),
            ] {
                assert!(!validator.accepts(&wrong), "{provider:?} {sent:#}");
            }
        }
    }
    let text = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    for (schema, path, part) in [
        (
            json!({ "allOf": [object("a"), text] }),
            "/allOf",
            Inexpressible::Combination,
        ),
        (
            json!({ "allOf": [object("a"), { "type": "string" }] }),
            "/allOf",
            Inexpressible::Combination,
        ),
        (
            json!({ "allOf": [{ "type": "string" }] }),
            "",
            Inexpressible::NoObject,
        ),
        (
            json!({ "allOf": [object("a"), { "oneOf": [object("b"), object("c")] }] }),
            "",
            Inexpressible::Choice,
        ),
        (
            json!({ "allOf": [{ "$ref": "#/$defs/A" }], "$defs": { "A": { "allOf": [{ "$ref": "#/$defs/A" }] } } }),
            "/$ref",
            Inexpressible::Recursion,
        ),
    ] {
        for &provider in Provider::ALL {
            let tool = ToolBuf::new("act", "Act.", schema.clone());
            let tools = provider.tools(&[tool.as_tool()]);
            let error = provider.tool(&tool.as_tool()).unwrap_err();
            let first = &error.problems()[0];
            assert_eq!(
                (first.path.as_str(), &first.part),
                (path, &part),
                "{provider:?} {schema}"
            );
            assert!(tools.is_err(), "{provider:?} {schema}");
        }
    }
}

/// Forms that servers in the wild send, each of which one of the providers refuses as it is.
#[test]
fn forms_of_servers_in_the_wild_are_taken_or_refused_with_their_path() {
    let any = json!({ "type": ["object", "array", "string", "number", "boolean", "null"], "description": "The output." });
    let nullable = json!({ "type": ["array", "null"], "items": { "type": ["object", "null"], "properties": { "value": true } } });
    let by_property = json!({
        "type": "object",
        "properties": {
            "headers": { "type": "object", "properties": { "k": { "type": "string" } } },
            "actions": { "type": "array", "items": { "$ref": "#/properties/headers" } },
        },
    });
    let not_an_object = json!({ "type": "string", "properties": { "k": {} }, "required": ["k"] });
    let list = json!({ "type": "array" });
    let schemas = [
        (with(&any), "/properties/a"),
        (with(&nullable), "/properties/a/items/properties/value"),
        (by_property, ""),
        (with(&not_an_object), ""),
        (with(&list), "/properties/a"),
    ];
    for (schema, path) in schemas {
        let tool = ToolBuf::new("act", "Act.", schema.clone());
        for &provider in Provider::ALL {
            match provider.tool(&tool.as_tool()) {
                Ok(_) => drop(arguments(provider, &schema)),
                Err(error) => {
                    let first = &error.problems()[0];
                    assert!(
                        !path.is_empty() && first.path.starts_with(path),
                        "{provider:?}: {error} {schema:#}"
                    );
                }
            }
        }
    }
}
