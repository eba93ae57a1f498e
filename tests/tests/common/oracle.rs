//! The files of `../shared/oracles`, where they are there.

use serde_json::Value;

/// A file by its name; without it, the reason why a test skips is printed.
pub fn oracle(name: &str) -> Option<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/oracles");
    let path = format!("{folder}/{name}.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {path} is not there");
        return None;
    };
    Some(serde_json::from_str(&text).unwrap())
}

/// A section of the file with rules.
pub fn rules(section: &str) -> Vec<Value> {
    match oracle("signal_router_rules") {
        Some(rules) => rows(&rules[section]).to_vec(),
        None => Vec::new(),
    }
}

pub fn rows(list: &Value) -> &[Value] {
    let rows = list.as_array().expect("a list of rows");
    assert!(!rows.is_empty());
    rows
}

pub fn text(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("not a text: {value}"))
}

pub fn texts(list: &Value) -> Vec<&str> {
    rows(list).iter().map(text).collect()
}
