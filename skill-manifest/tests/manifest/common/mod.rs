//! The files of `../shared`, if they exist.
#![allow(dead_code, unreachable_pub)] // every test uses a part of it

use serde_json::Value;
use std::path::{Path, PathBuf};

/// Returns a file or folder; if it does not exist, prints why the test is skipped.
pub fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared")
        .join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}

pub fn oracle(name: &str) -> Option<Value> {
    let text = std::fs::read_to_string(shared(&format!("oracles/{name}.json"))?).unwrap();
    Some(serde_json::from_str(&text).unwrap())
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

/// Returns every SKILL.md below a folder, sorted: its relative path, with its folder, and its bytes.
pub fn documents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else if entry.file_name() == "SKILL.md" {
                let path = entry.path();
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                found.push((name.to_owned(), std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty());
    found
}
