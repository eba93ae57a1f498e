//! The files of `../shared/oracles`, if they are present.

use serde_json::Value;

/// Reads a file by its name. If it is missing, prints the reason why the test skips.
pub fn oracle(name: &str) -> Option<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/oracles");
    let path = format!("{folder}/{name}.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {path} is not there");
        return None;
    };
    Some(serde_json::from_str(&text).unwrap())
}

/// Returns a section of the router rules; empty if the file is missing.
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
