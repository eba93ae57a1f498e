//! Tests of repairs.

mod limits;

use super::repair;
use skill_core::serde_json::{Value, json};

/// Returns the schema of a planner's arguments.
fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "title": { "type": "string" },
            "note": { "type": ["string", "null"] },
            "hours": { "type": "integer" },
            "ratio": { "type": "number" },
            "maybe": { "type": ["integer", "null"] },
            "done": { "type": "boolean" },
            "steps": { "type": "array", "items": { "$ref": "#/$defs/step" } },
            "first": { "anyOf": [{ "$ref": "#/$defs/step" }, { "type": "null" }] },
            "tags": { "type": ["array", "null"], "items": { "type": "string" } },
            "by_day": { "type": "object", "additionalProperties": { "type": "integer" } },
            "either": { "anyOf": [{ "type": "integer" }, { "type": "string" }] },
            "number_or_list": { "anyOf": [{ "type": "integer" }, { "type": "array" }] },
            "kinds": { "type": ["integer", "boolean"] },
            "shape": { "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "circle" }, "size": { "type": "number" } }, "required": ["kind"] },
                { "type": "object", "properties": { "kind": { "const": "label" }, "size": { "type": "string" } }, "required": ["kind"] },
            ] },
            "unclear": { "anyOf": [
                { "type": "object", "properties": { "size": { "type": "number" } } },
                { "type": "object", "properties": { "size": { "type": "string" } } },
            ] },
            "free": true,
            "mode": { "enum": ["1", "2"] },
            "level": { "type": "integer", "enum": [1, 2] },
            "tree": { "$ref": "#/$defs/tree" },
        },
        "required": ["title"],
        "$defs": {
            "step": {
                "type": "object",
                "properties": { "name": { "type": "string" }, "minutes": { "type": "integer" } },
                "required": ["name"],
            },
            "tree": { "type": "array", "items": { "$ref": "#/$defs/tree" } },
        },
    })
}

/// Returns the repaired text and the repairs.
fn repaired(sent: &str) -> Option<(String, Vec<String>)> {
    let repaired = repair(&schema(), sent)?;
    let repairs = repaired.repairs.iter().map(ToString::to_string);
    Some((repaired.text, repairs.collect()))
}

#[test]
fn what_is_clear_is_repaired() {
    for (sent, text, repairs) in [
        (
            r#"{"steps":"[{\"name\":\"a\"}]"}"#,
            r#"{"steps":[{"name":"a"}]}"#,
            &["`steps`: a list or an object was written as JSON text"][..],
        ),
        (
            r#"{"steps":["{\"name\":\"a\",\"minutes\":\"5\"}"]}"#,
            r#"{"steps":[{"name":"a","minutes":5}]}"#,
            &[
                "`steps[0]`: a list or an object was written as JSON text",
                "`steps[0].minutes`: a number was written as text",
            ],
        ),
        (
            r#"{"first":"{\"name\":\"a\"}","tags":" [\"x\"] "}"#,
            r#"{"first":{"name":"a"},"tags":["x"]}"#,
            &[
                "`first`: a list or an object was written as JSON text",
                "`tags`: a list or an object was written as JSON text",
            ],
        ),
        (
            r#"{ "hours" : "3", "ratio":"-2.50e1" ,"maybe":"4","level":"2" }"#,
            r#"{ "hours" : 3, "ratio":-2.50e1 ,"maybe":4,"level":2 }"#,
            &[
                "`hours`: a number was written as text",
                "`ratio`: a number was written as text",
                "`maybe`: a number was written as text",
                "`level`: a number was written as text",
            ],
        ),
        (
            r#"{"done":"True","by_day":{"a b":"1"}}"#,
            r#"{"done":true,"by_day":{"a b":1}}"#,
            &[
                "`done`: a boolean was written as text",
                "`by_day[\"a b\"]`: a number was written as text",
            ],
        ),
        (
            r#"{"hours":null,"title":"t","steps":[{"name":"a","minutes":null}]}"#,
            r#"{"title":"t","steps":[{"name":"a"}]}"#,
            &[
                "`hours`: it may be left out, and was null",
                "`steps[0].minutes`: it may be left out, and was null",
            ],
        ),
        (
            "{\"title\":\"a\nb\tc\u{1}\"}",
            r#"{"title":"a\nb\tc\u0001"}"#,
            &["`title`: control characters in a text were not escaped"],
        ),
        (
            r#"{"title":"t","steps":[{"name":"a",},],}"#,
            r#"{"title":"t","steps":[{"name":"a"}]}"#,
            &[
                "`steps[0]`: there was a trailing comma",
                "`steps`: there was a trailing comma",
                "at the top level: there was a trailing comma",
            ],
        ),
        (
            "```json\n{\"title\":\"t\",}\n```\n",
            r#"{"title":"t"}"#,
            &[
                "at the top level: the JSON was within a fence",
                "at the top level: there was a trailing comma",
            ],
        ),
        (
            "\"{\\\"hours\\\":\\\"3\\\"}\"",
            r#"{"hours":3}"#,
            &[
                "at the top level: a list or an object was written as JSON text",
                "`hours`: a number was written as text",
            ],
        ),
        // the inner text is repaired like the outer one
        (
            r#"{"steps":"[{\"name\":\"a\",},]"}"#,
            r#"{"steps":[{"name":"a"}]}"#,
            &[
                "`steps`: a list or an object was written as JSON text",
                "`steps[0]`: there was a trailing comma",
                "`steps`: there was a trailing comma",
            ],
        ),
        (
            r#"{"shape":{"kind":"circle","size":"2"}}"#,
            r#"{"shape":{"kind":"circle","size":2}}"#,
            &["`shape.size`: a number was written as text"],
        ),
        // digits that a `Value` would lose
        (
            r#"{"hours":"12345678901234567890123","ratio":1.10000000000000000001}"#,
            r#"{"hours":12345678901234567890123,"ratio":1.10000000000000000001}"#,
            &["`hours`: a number was written as text"],
        ),
    ] {
        let found = repaired(sent);
        let expected = repairs.iter().map(|text| (*text).to_owned()).collect();
        assert_eq!(found, Some((text.to_owned(), expected)), "{sent}");
    }
}

#[test]
fn a_text_stays_one_where_it_may_be_meant() {
    for sent in [
        r#"{"title":"[1]","note":"{}"}"#,
        r#"{"title":"3","note":"null"}"#,
        r#"{"title":"true","note":"5"}"#,
        r#"{"either":"5","number_or_list":"5","kinds":"5"}"#,
        r#"{"number_or_list":"[5]","kinds":"true"}"#,
        r#"{"shape":{"kind":"label","size":"2"}}"#,
        r#"{"shape":"{\"kind\":\"circle\"}"}"#,
        r#"{"unclear":{"size":"2"}}"#,
        r#"{"free":"5","mode":"1"}"#,
        r#"{"free":{"hours":"5","steps":"[]"},"other":"5"}"#,
        // `null` is allowed there, or is a mistake
        r#"{"note":null,"maybe":null,"free":null,"title":null}"#,
    ] {
        assert_eq!(repaired(sent), None, "{sent}");
    }
}

#[test]
fn what_is_not_clear_is_left_to_the_error() {
    for sent in [
        // not numbers in JSON, or not integers
        r#"{"hours":"0x10"}"#,
        r#"{"hours":"1e999"}"#,
        r#"{"ratio":"NaN"}"#,
        r#"{"ratio":"Infinity"}"#,
        r#"{"ratio":"-"}"#,
        r#"{"hours":"+5"}"#,
        r#"{"hours":"007"}"#,
        r#"{"hours":"1_000"}"#,
        r#"{"hours":"1,000"}"#,
        r#"{"hours":"5.5"}"#,
        r#"{"hours":"five"}"#,
        r#"{"hours":""}"#,
        r#"{"hours":"true"}"#,
        r#"{"hours":true}"#,
        r#"{"done":"yes"}"#,
        r#"{"done":"1"}"#,
        r#"{"done":1}"#,
        // JSON text of another type
        r#"{"steps":"{}"}"#,
        r#"{"steps":"a, b"}"#,
        r#"{"steps":"[1"}"#,
        r#"{"steps":"'[]'"}"#,
        r#"{"first":"[]"}"#,
        // repeated keys, which the reader reports
        r#"{"hours":"1","hours":"2"}"#,
        // commas that are not trailing, and other syntax
        "{\"steps\":[,]}",
        "{,}",
        "[,,]",
        "{\"title\":,}",
        "{\"steps\":[1,,]}",
        "{'title':'t',}",
        "{\"title\":\"t\"",
        "{\"title\":\"t",
        "",
        ",",
        "\"",
        "```",
        "``````",
        "```json\n```",
        "Here it is:\n```json\n{\"title\":\"t\"}\n```",
        "```json\n{\"title\":\"t\"}\n``` and more",
        "{\"title\":\"t\",} {}",
    ] {
        assert_eq!(repaired(sent), None, "{sent}");
    }
}

#[test]
fn keys_that_were_repeated_are_still_repeated() {
    let found = repaired(r#"{"done":"true","steps":"[{\"name\":\"a\",\"name\":\"b\"}]"}"#);
    let (text, _) = found.unwrap();
    assert_eq!(text, r#"{"done":true,"steps":[{"name":"a","name":"b"}]}"#);
}

#[test]
fn a_schema_by_reference_and_one_of_a_whole_are_followed() {
    let schema = json!({
        "$ref": "#/$defs/a",
        "$defs": {
            "a": { "allOf": [{ "$ref": "#/$defs/b" }] },
            "b": { "type": "object", "properties": { "n": { "allOf": [{ "type": "integer" }] } } },
        },
    });
    let found = repair(&schema, r#"{"n":"5"}"#).unwrap();
    assert_eq!(found.text, r#"{"n":5}"#);
}

#[test]
fn a_text_is_repaired_by_what_all_schemas_of_it_say() {
    let schema = json!({
        "type": "object",
        "properties": { "n_text": { "type": "integer" }, "n_any": { "description": "A count." } },
        "patternProperties": {
            "^n": { "type": "number" },
            "_int$": { "type": "integer" },
            "_text$": { "type": "string" },
            "_low$": { "maximum": 5 },
            "_list$": { "type": "array" },
            "^p": { "type": "object", "properties": { "a": { "type": "integer" } } },
            "^pq": { "properties": { "b": { "type": "boolean" } } },
        },
        "additionalProperties": { "type": "boolean" },
        "allOf": [{ "properties": { "n_both": { "type": "string" }, "other": {} } }],
    });
    for (key, sent, repaired) in [
        ("n", "\"5.5\"", Some("5.5")),
        ("n_int", "\"5\"", Some("5")),
        ("n_int", "\"5.5\"", None),
        ("n_text", "\"5\"", None),
        ("a_text", "\"5\"", None),
        ("n_low", "\"5\"", Some("5")),
        ("a_low", "\"5\"", None),
        ("n_list", "\"5\"", None),
        ("n_any", "\"5\"", Some("5")),
        ("n_both", "\"5\"", None),
        ("other", "\"true\"", Some("true")),
        ("pq", r#"{"a":"5","b":"true"}"#, Some(r#"{"a":5,"b":true}"#)),
        (
            "pq",
            r#""{\"a\":\"5\",\"b\":\"true\"}""#,
            Some(r#"{"a":5,"b":true}"#),
        ),
    ] {
        let found = repair(&schema, &format!("{{\"{key}\":{sent}}}"));
        let expected = repaired.map(|repaired| format!("{{\"{key}\":{repaired}}}"));
        assert_eq!(found.map(|found| found.text), expected, "{key}: {sent}");
    }
    // it is unknown whether a key matches
    let schema = json!({ "patternProperties": { "(?!a)": {} }, "additionalProperties": { "type": "integer" } });
    assert_eq!(repair(&schema, r#"{"n":"5"}"#), None);
    let items = json!({ "prefixItems": [{ "type": "integer" }], "allOf": [{ "items": { "type": "string" } }] });
    assert_eq!(repair(&items, r#"["5"]"#), None);
}
