//! Repairs of long, deep and hostile texts.

use super::super::{MOST_REPAIRS, repair};
use super::repaired;
use skill_core::MAX_ARGUMENT_BYTES;
use skill_core::serde_json::{Value, json};

#[test]
fn deep_and_long_texts_cost_little() {
    // nested JSON text, whose escapes double at each level
    let mut text = "[]".to_owned();
    for _ in 0..14 {
        text = format!("[{}]", Value::from(text));
    }
    let sent = json!({ "tree": text }).to_string();
    let (repaired_text, repairs) = repaired(&sent).unwrap();
    let deepest = format!("{{\"tree\":{}{}}}", "[".repeat(15), "]".repeat(15));
    assert_eq!((repaired_text, repairs.len()), (deepest, 15));

    for levels in [126, 127, 128, 10_000, 400_000] {
        let deep = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let _ = repaired(&json!({ "tree": deep }).to_string());
        let _ = repaired(&format!("{{\"tree\":{deep},}}"));
        let _ = repaired(&format!("{{\"tree\":[{deep},],\"hours\":\"1\"}}"));
        let _ = repaired(&"[".repeat(levels));
        let _ = repaired(&"{\"a\":[1,".repeat(levels / 4));
    }
    let most = MAX_ARGUMENT_BYTES - 40;
    for long in [
        format!("{{\"hours\":\"{}\"}}", "9".repeat(most)),
        format!("{{\"hours\":\"1e{}\"}}", "9".repeat(most)),
        format!("{{\"title\":\"{}\",}}", "\n".repeat(most)),
        format!("{{\"steps\":\"{}\"}}", "[".repeat(most)),
        format!("{{\"hours\":\"{}\"}}", " ".repeat(most)),
        format!("```{}", "`".repeat(most)),
        "\"".repeat(most),
        "\\".repeat(most),
        ",".repeat(most),
    ] {
        let _ = repaired(&long);
    }
    // the maximum number of repairs
    let texts = |count: usize| format!("{{\"tags\":null,\"by_day\":{{{}}}}}", keys(count));
    assert!(repaired(&texts(MOST_REPAIRS)).is_some());
    assert_eq!(repaired(&texts(MOST_REPAIRS + 1)), None);
    assert_eq!(repaired(&texts(40_000)), None);
    let commas = format!("{{\"tree\":[{}[]]}}", "[[],],".repeat(100_000));
    assert_eq!(repaired(&commas), None);
    // 10 MB
    let large = format!(
        "{{\"title\":\"t\",\"hours\":\"1\"{}}}",
        " ".repeat(10 << 20)
    );
    assert_eq!(repaired(&large), None);
}

/// Returns entries whose numbers are written as strings.
fn keys(count: usize) -> String {
    let keys = (0..count).map(|number| format!("\"k{number}\":\"1\""));
    keys.collect::<Vec<_>>().join(",")
}

#[test]
fn a_schema_of_a_stranger_costs_little() {
    let cycle = json!({ "$ref": "#" });
    assert_eq!(repair(&cycle, "\"5\""), None);
    let options = json!({ "anyOf": [{ "$ref": "#" }, { "type": "null" }] });
    assert_eq!(repair(&options, "\"5\""), None);
    let all = json!({ "allOf": [{ "$ref": "#" }] });
    assert_eq!(repair(&all, "\"5\""), None);
    let nested = (0..14).fold(
        json!({ "type": "object", "properties": { "n": { "type": "integer" } } }),
        |inner, _| json!({ "anyOf": [inner.clone(), inner] }),
    );
    let _ = repair(&nested, r#"{"n":"5"}"#);
    for odd in [
        json!(null),
        json!(true),
        json!({ "type": 5 }),
        json!({ "type": [] }),
        json!({ "type": ["integer", 5], "enum": 6, "anyOf": 7 }),
        json!({ "properties": 1, "required": 2, "items": 3 }),
    ] {
        let _ = repair(&odd, r#"{"a":"1","b":null}"#);
        let _ = repair(&odd, "\"5\"");
    }
}
