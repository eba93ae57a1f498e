//! Compares the structure of values with schemas.

use crate::structure_problems;
use serde_json::{Value, json};

fn message(schema: &Value, value: &Value) -> String {
    let problems = structure_problems(value, schema);
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    texts.join(" | ")
}

#[test]
fn mistakes_have_a_path_the_given_value_and_the_expected_one() {
    let schema = json!({
        "type": "object",
        "properties": {
            "text": { "type": "string" },
            "mode": { "enum": ["fast", "slow"] },
            "points": { "type": "array", "items": { "$ref": "#/$defs/point" } },
            "size": { "anyOf": [{ "type": "integer" }, { "type": "null" }] },
        },
        "required": ["text"],
        "additionalProperties": false,
        "$defs": {
            "point": { "type": "object", "properties": { "x": { "type": "number" } }, "required": ["x"] },
        },
    });
    for (value, expected) in [
        (
            json!({ "text": "a", "mode": "slow", "points": [{ "x": 1 }], "size": null }),
            "",
        ),
        (json!({ "text": "a", "size": 2.0 }), ""),
        (
            json!([]),
            "at the top level: invalid type: a list, expected an object",
        ),
        (json!({}), "at the top level: missing field `text`"),
        (
            json!({ "text": 3 }),
            "`text`: invalid type: integer `3`, expected a string",
        ),
        (
            json!({ "text": "a", "txet": "b" }),
            "`txet`: unknown field `txet`, expected one of `text`, `mode`, `points`, `size`; did you mean `text`?",
        ),
        (
            json!({ "text": "a", "mode": "fats" }),
            "`mode`: unknown variant `fats`, expected `fast` or `slow`; did you mean `fast`?",
        ),
        (
            json!({ "text": "a", "points": [{ "x": 1 }, {}] }),
            "`points[1]`: missing field `x`",
        ),
        (
            json!({ "text": "a", "points": [{ "x": "1" }] }),
            "`points[0].x`: invalid type: string \"1\", expected a number",
        ),
        (
            json!({ "text": "a", "size": "2" }),
            "`size`: invalid type: string \"2\", expected an integer",
        ),
    ] {
        let known = message(&schema, &value);
        // without `ordered-json`, the known fields are sorted
        if !known.contains("one of `mode`") {
            assert_eq!(known, expected, "{value}");
        }
    }
}

#[test]
fn constants_are_compared_by_their_value() {
    let schema = json!({ "enum": [1, { "a": [2] }] });
    for fits in [json!(1.0), json!(1), json!({ "a": [2.0] })] {
        assert_eq!(message(&schema, &fits), "");
    }
    assert_eq!(
        message(&schema, &json!(1.5)),
        "at the top level: unknown variant `1.5`, expected `1` or `{\"a\":[2]}`"
    );
    assert_eq!(message(&json!({ "const": 2.0 }), &json!(2)), "");
}

#[test]
fn a_schema_of_a_stranger_costs_little() {
    let cycle = json!({ "$ref": "#" });
    assert_eq!(message(&cycle, &json!({})), "");
    let either = json!({ "anyOf": [{ "$ref": "#" }, { "$ref": "#" }, { "type": "string" }] });
    assert_eq!(message(&either, &json!(1)), "");
    // the last of 2^14 alternatives fits, but is never reached
    let nested = (0..14).fold(
        json!({ "type": "string" }),
        |inner, _| json!({ "anyOf": [inner.clone(), inner] }),
    );
    let nested = json!({ "anyOf": [nested, { "type": "integer" }] });
    assert_eq!(
        message(&nested, &json!(1)),
        "at the top level: invalid type: integer `1`, expected a string"
    );
    // the last alternative is not reached after long lists either
    let names: Vec<String> = (0..1_000).map(|number| format!("name-{number}")).collect();
    let long = vec![json!({ "enum": names }); 100];
    let either = json!({ "anyOf": [{ "anyOf": long }, { "type": "integer" }] });
    let text = message(&either, &json!(1));
    let start = "at the top level: unknown variant `1`, expected one of `name-0`, ";
    assert!(text.starts_with(start) && text.len() < 2_000, "{text}");
    assert_eq!(message(&json!({ "type": "unheard-of" }), &json!(1)), "");
    assert_eq!(
        message(&json!({ "type": 5, "enum": 6, "required": 7 }), &json!({})),
        ""
    );
}
