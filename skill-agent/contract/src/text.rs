//! The text of a contract file: sorted JSON with one item per line, so that pull requests show what changed.

use super::file::Contract;
use serde_json::Value;
use std::fmt::Write;

/// The number of levels whose entries each get their own line, even short ones: the sections and their entries.
const LEVELS_OF_LINES: usize = 2;

impl Contract {
    /// Returns the text of the contract file, with a trailing line break. It does not depend on enabled features.
    #[must_use]
    pub fn to_text(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        let mut text = String::new();
        write(&value, 0, &mut text);
        text.push('\n');
        text
    }
}

fn write(value: &Value, level: usize, text: &mut String) {
    let is_line = level >= LEVELS_OF_LINES && !parts(value).any(has_object);
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            let entries = entries.into_iter().map(|(key, part)| (Some(key), part));
            write_parts(["{", "}"], entries, is_line, level, text);
        }
        Value::Array(items) if !items.is_empty() => {
            let items = items.iter().map(|item| (None, item));
            write_parts(["[", "]"], items, is_line, level, text);
        }
        // writing to a string never fails
        value => drop(write!(text, "{value}")),
    }
}

fn write_parts<'a>(
    [open, close]: [&str; 2],
    parts: impl Iterator<Item = (Option<&'a String>, &'a Value)>,
    is_line: bool,
    level: usize,
    text: &mut String,
) {
    let space = |level: usize| {
        if is_line {
            String::new()
        } else {
            format!("\n{}", "  ".repeat(level))
        }
    };
    text.push_str(open);
    for (index, (key, part)) in parts.enumerate() {
        if index > 0 {
            text.push_str(if is_line { ", " } else { "," });
        }
        text.push_str(&space(level + 1));
        if let Some(key) = key {
            let _ = write!(text, "{}: ", Value::from(key.as_str()));
        }
        write(part, level + 1, text);
    }
    text.push_str(&space(level));
    text.push_str(close);
}

/// Returns the items of an array or the values of an object.
fn parts(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Object(entries) => Box::new(entries.values()),
        Value::Array(items) => Box::new(items.iter()),
        _ => Box::new(std::iter::empty()),
    }
}

fn has_object(value: &Value) -> bool {
    value.is_object() || parts(value).any(has_object)
}
