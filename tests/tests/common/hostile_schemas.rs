//! Schemas that are hard to read.

use serde_json::{Value, json};

/// The schemas with their names.
pub fn hostile_schemas() -> Vec<(&'static str, Value)> {
    let many = |count: usize, part: fn(usize) -> (String, Value)| -> Value {
        Value::Object((0..count).map(part).collect())
    };
    let to = |target: &str| json!({ "$ref": target });
    let object = |properties: Value| json!({ "type": "object", "properties": properties });
    let mut chain = object(json!({ "a": to("#/$defs/L0") }));
    chain["$defs"] = many(600, |level| {
        let next = json!({ "$ref": format!("#/$defs/L{}", (level + 1) % 600) });
        (
            format!("L{level}"),
            json!({ "type": "object", "properties": { "n": next } }),
        )
    });
    let mut endless = chain.clone();
    endless["$defs"]["L599"] = json!({ "type": "string" });
    let mut dense = object(json!({ "a": to("#/$defs/D0") }));
    dense["$defs"] = many(60, |level| {
        let all = (0..60).map(|other| {
            (
                format!("p{other}"),
                json!({ "$ref": format!("#/$defs/D{other}") }),
            )
        });
        (
            format!("D{level}"),
            json!({ "type": "object", "properties": Value::Object(all.collect()) }),
        )
    });
    let mut deep = json!({ "type": "string" });
    for _ in 0..120 {
        deep = object(json!({ "a": deep }));
    }
    vec![
        (
            "10,000 properties",
            object(many(10_000, |index| {
                (format!("p{index}"), json!({ "type": "string" }))
            })),
        ),
        (
            "1,000 properties",
            object(many(1_000, |index| {
                (format!("p{index}"), json!({ "type": "string" }))
            })),
        ),
        (
            "800 references to properties",
            object(many(800, |index| {
                (
                    format!("p{index}"),
                    match index {
                        0 => json!({ "type": "string" }),
                        index => json!({ "$ref": format!("#/properties/p{}", index - 1) }),
                    },
                )
            })),
        ),
        (
            "a part that is copied often",
            object(many(1_000, |index| {
                (
                    format!("p{index}"),
                    json!({ "$ref": format!("#/properties/p{}", index / 2), "description": "a" }),
                )
            })),
        ),
        ("a ring", chain),
        ("a chain", endless),
        ("all refer to all", dense),
        ("deep", deep),
        ("itself", object(json!({ "a": to("#") }))),
        (
            "itself required",
            json!({ "type": "object", "properties": { "a": to("#") }, "required": ["a"] }),
        ),
        (
            "its own property",
            object(json!({ "a": to("#/properties/a") })),
        ),
        (
            "two that are each other",
            object(json!({ "a": to("#/properties/b"), "b": to("#/properties/a") })),
        ),
        (
            "a definition that is itself",
            json!({ "type": "object", "properties": { "a": to("#/$defs/A") }, "$defs": { "A": to("#/$defs/A") } }),
        ),
        (
            "siblings",
            json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/A", "minLength": 1, "description": "a", "type": "string" } }, "$defs": { "A": { "type": "string", "maxLength": 3 } } }),
        ),
        (
            "booleans",
            json!({
                "type": "object",
                "properties": { "a": true, "b": false, "c": { "type": "array", "items": true, "prefixItems": [false, true] }, "d": { "anyOf": [true, false] }, "e": { "not": true } },
                "patternProperties": { "^x": false },
                "propertyNames": true,
                "additionalProperties": true,
                "if": true,
                "then": false,
                "$defs": { "T": true },
            }),
        ),
        (
            "mixed enum",
            object(
                json!({ "a": { "enum": [1, "a", null, true, 1.5, [1], { "b": 2 }] }, "b": { "enum": [1, "a", null, true] } }),
            ),
        ),
        (
            "conditions",
            object(json!({ "a": {
                "type": "object",
                "properties": { "k": { "type": "string" } },
                "if": { "properties": { "k": { "const": "x" } } },
                "then": { "required": ["k"] },
                "else": { "properties": { "k": { "minLength": 2 } } },
                "dependentRequired": { "k": ["l"] },
                "dependentSchemas": { "k": { "required": ["l"] } },
            } })),
        ),
        (
            "lists",
            object(
                json!({ "a": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer" }], "items": false, "contains": { "type": "string" }, "minContains": 1, "uniqueItems": true } }),
            ),
        ),
        (
            "patterns of keys",
            object(
                json!({ "a": { "type": "object", "patternProperties": { "^a": { "type": "string" }, "^(?=b)": { "type": "integer" } } } }),
            ),
        ),
        (
            "keys",
            object(
                json!({ "__proto__": { "type": "string" }, "": { "type": "string" }, "a/b": { "type": "string" }, "a~b": { "type": "string" }, "a~1b": { "$ref": "#/properties/a~1b" }, "%41": { "$ref": "#/properties/a~0b" }, "c": { "$ref": "#/properties/%2541" }, "$ref": { "type": "string" }, "properties": { "type": "string" }, "\u{0}\n\"": { "type": "string" } }),
            ),
        ),
        (
            "names of definitions",
            json!({ "type": "object", "properties": { "a": to("#/$defs/"), "b": to("#/$defs/a~1b~0c%25"), "c": to("#/$defs/__proto__") }, "$defs": { "": { "type": "string" }, "a/b~c%": { "type": "integer" }, "__proto__": { "type": "boolean" } } }),
        ),
        (
            "a property that is called as a keyword",
            object(
                json!({ "$defs": { "type": "string" }, "definitions": { "type": "integer" }, "$id": { "type": "string" }, "items": { "type": "boolean" }, "nullable": { "type": "null" } }),
            ),
        ),
        (
            "ids within ids",
            object(
                json!({ "a": { "$id": "x", "type": "object", "properties": { "b": { "$id": "y", "type": "object", "properties": { "c": to("#"), "d": to("x") } } } } }),
            ),
        ),
        (
            "all of all",
            object(
                json!({ "a": { "allOf": [{ "allOf": [{ "properties": { "b": { "type": "string" } } }] }, { "required": ["b"] }] } }),
            ),
        ),
    ]
}
