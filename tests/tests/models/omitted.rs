//! The `null`s that strict mode sends for omitted arguments.

use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::models::Provider;

fn restored(schema: Value, sent: &str) -> String {
    let tool = ToolBuf::new("act", "Act.", schema);
    Provider::OPENAI_STRICT
        .restore_omitted(&tool.as_tool(), sent)
        .into_owned()
}

/// `a`, `b` and `c` may be left out, and only `n` of them may be null.
fn flat() -> Value {
    json!({
        "type": "object",
        "properties": {
            "a": { "type": "integer", "default": 1 },
            "b": { "type": "integer", "default": 2 },
            "c": { "type": "integer", "default": 3 },
            "n": { "type": ["integer", "null"], "default": 4 },
            "r": { "type": "integer" },
        },
        "required": ["r"],
    })
}

#[test]
fn only_the_null_of_an_omitted_value_is_removed() {
    for (sent, expected) in [
        (r#"{"a":null,"b":null,"c":null}"#, "{}"),
        (r#"{ "a" : null , "b" : 1 }"#, r#"{"b" : 1 }"#),
        (r#"{"a":1,"b":null,"c":2}"#, r#"{"a":1,"c":2}"#),
        (r#"{"a":1,"b":null,"c":null}"#, r#"{"a":1}"#),
        (r#"{"a":null,"b":null,"c":2}"#, r#"{"c":2}"#),
        (r#"{"n":null,"r":null}"#, r#"{"n":null,"r":null}"#),
        // unknown keys and the digits of numbers are for the reader
        (
            r#"{"a":null,"b":1.50e0,"x":null}"#,
            r#"{"b":1.50e0,"x":null}"#,
        ),
        // which of several values counts too
        (
            r#"{"a":null,"a":1,"b":null}"#,
            r#"{"a":null,"a":1,"b":null}"#,
        ),
        (
            r#"{"a":1,"a":null,"b":null}"#,
            r#"{"a":1,"a":null,"b":null}"#,
        ),
        // not JSON, and no object
        (r#"{"a":null"#, r#"{"a":null"#),
        ("null", "null"),
        ("[null]", "[null]"),
        ("", ""),
    ] {
        assert_eq!(restored(flat(), sent), expected, "{sent}");
    }
}

#[test]
fn nested_values_are_restored_in_lists_choices_and_definitions() {
    let schema = json!({
        "type": "object",
        "properties": {
            "list": { "type": "array", "items": { "$ref": "#/$defs/Item" } },
            "pair": { "type": "array", "prefixItems": [{ "$ref": "#/$defs/Item" }, { "type": "null" }] },
            "way": { "oneOf": [
                {
                    "type": "object",
                    "properties": { "by": { "const": "card" }, "tip": { "type": "integer" } },
                    "required": ["by", "tip"],
                },
                {
                    "type": "object",
                    "properties": { "by": { "const": "cash" }, "tip": { "type": "integer" } },
                    "required": ["by"],
                },
            ] },
        },
        "$defs": { "Item": {
            "type": "object",
            "properties": { "size": { "type": "integer" }, "in": { "anyOf": [{ "$ref": "#/$defs/Item" }, { "type": "null" }] } },
        } },
    });
    for (sent, expected) in [
        (
            r#"{"list":[{"size":null,"in":{"size":null,"in":null}},{"size":1,"in":null}]}"#,
            r#"{"list":[{"in":{"in":null}},{"size":1,"in":null}]}"#,
        ),
        (
            r#"{"pair":[{"size":null,"in":null},null]}"#,
            r#"{"pair":[{"in":null},null]}"#,
        ),
        (
            r#"{"way":{"by":"cash","tip":null}}"#,
            r#"{"way":{"by":"cash"}}"#,
        ),
        (
            r#"{"way":{"by":"card","tip":null}}"#,
            r#"{"way":{"by":"card","tip":null}}"#,
        ),
        (r#"{"list":null,"pair":null,"way":null}"#, "{}"),
    ] {
        assert_eq!(restored(schema.clone(), sent), expected, "{sent}");
    }
}

#[test]
fn an_alternative_without_a_tag_is_known_by_its_keys() {
    let of = |name: &str| {
        json!({
            "type": "object",
            "properties": { "a": { "type": "integer" }, name: { "type": "integer" } },
            "required": ["a"],
        })
    };
    let schema = json!({
        "type": "object",
        "properties": { "it": { "anyOf": [of("b"), of("c")] } },
        "required": ["it"],
    });
    assert_eq!(
        restored(schema, r#"{"it":{"a":1,"c":null}}"#),
        r#"{"it":{"a":1}}"#
    );
}

#[test]
fn choices_within_choices_and_beside_properties_are_restored() {
    let alternative = |by: &str| {
        json!({
            "type": "object",
            "properties": { "by": { "const": by }, by: { "type": "integer" } },
            "required": ["by"],
        })
    };
    let flattened = json!({
        "type": "object",
        "properties": { "id": { "type": "integer" }, "tag": { "type": "string" } },
        "required": ["id"],
        "oneOf": [alternative("card"), alternative("cash")],
    });
    let schema = json!({
        "type": "object",
        "properties": {
            "way": { "anyOf": [flattened, { "type": "null" }] },
            "loop": { "$ref": "#/$defs/Loop" },
        },
        "required": ["way", "loop"],
        "$defs": { "Loop": { "oneOf": [{ "$ref": "#/$defs/Loop" }, alternative("card"), { "$ref": "#/$defs/Loop" }] } },
    });
    for (sent, expected) in [
        (
            r#"{"way":{"id":1,"tag":null,"by":"cash","cash":null}}"#,
            r#"{"way":{"id":1,"by":"cash"}}"#,
        ),
        (
            r#"{"way":{"id":null,"tag":null,"by":"cash"}}"#,
            r#"{"way":{"id":null,"by":"cash"}}"#,
        ),
        (
            r#"{"loop":{"by":"card","card":null}}"#,
            r#"{"loop":{"by":"card"}}"#,
        ),
        (
            r#"{"loop":{"by":"cash","card":null}}"#,
            r#"{"loop":{"by":"cash","card":null}}"#,
        ),
    ] {
        assert_eq!(restored(schema.clone(), sent), expected, "{sent}");
    }
}

#[test]
fn nesting_of_any_depth_is_passed_over() {
    let schema = json!({
        "type": "object",
        "properties": { "in": { "$ref": "#" }, "a": { "type": "integer" } },
    });
    let deep = format!(
        "{}null{}",
        r#"{"a":null,"in":"#.repeat(50_000),
        "}".repeat(50_000)
    );
    let restored = restored(schema, &deep);
    assert!(restored.starts_with(r#"{"in":{"in":"#));
}

#[test]
fn other_providers_send_null_only_as_a_value() {
    let tool = ToolBuf::new("act", "Act.", flat());
    for &provider in Provider::ALL {
        let sent = r#"{"a":null}"#;
        let restored = provider.restore_omitted(&tool.as_tool(), sent);
        let is_strict =
            [Provider::OPENAI_STRICT, Provider::OPENAI_RESPONSES_STRICT].contains(&provider);
        assert_eq!(
            restored,
            if is_strict { "{}" } else { sent },
            "{provider:?}"
        );
    }
}

/// Each definition is a choice of the next one twice, and none of them fits.
#[test]
fn choices_within_choices_take_limited_time() {
    let mut definitions = serde_json::Map::new();
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/L{}", level + 1) });
        definitions.insert(format!("L{level}"), json!({ "anyOf": [next, next] }));
    }
    definitions.insert("L40".to_owned(), json!({ "type": "string" }));
    let schema = json!({
        "type": "object",
        "properties": { "a": { "$ref": "#/$defs/L0" }, "b": { "type": "integer" } },
        "$defs": definitions,
    });
    let sent = r#"{"b":null,"a":{"c":null}}"#;
    assert_eq!(restored(schema, sent), sent);
}

#[test]
fn text_that_is_too_large_for_arguments_is_kept() {
    let sent = |len: usize| format!(r#"{{"a":null,"x":"{}"}}"#, "x".repeat(len - 17));
    let most = skill_agent::MAX_ARGUMENT_BYTES;
    let (largest, larger) = (sent(most), sent(most + 1));
    assert_eq!((largest.len(), larger.len()), (most, most + 1));
    assert_eq!(restored(flat(), &larger), larger);
    assert!(restored(flat(), &largest).len() < most);
}

#[test]
fn keywords_beside_a_reference_count_too() {
    let schema = json!({
        "type": "object",
        "properties": { "way": { "oneOf": [
            {
                "$ref": "#/$defs/Tip",
                "type": "object",
                "properties": { "by": { "const": "cash" }, "no": { "type": "integer" } },
                "required": ["by"],
            },
            { "$ref": "#/$defs/Tip", "type": "object", "properties": { "by": { "const": "card" } }, "required": ["by", "tip"] },
        ] } },
        "$defs": { "Tip": { "type": "object", "properties": { "tip": { "type": "integer" } } } },
    });
    for (sent, expected) in [
        (
            r#"{"way":{"by":"card","tip":null}}"#,
            r#"{"way":{"by":"card","tip":null}}"#,
        ),
        (
            r#"{"way":{"by":"cash","tip":null,"no":null}}"#,
            r#"{"way":{"by":"cash"}}"#,
        ),
    ] {
        assert_eq!(restored(schema.clone(), sent), expected, "{sent}");
    }
}
