//! Differences between two JSON values, each with its path.

use serde_json::Value;
use std::fmt;

/// The allowed difference between two numbers, relative to the larger one if that is above one.
const TOLERANCE: f64 = 1e-9;

/// The maximum length of a value in a difference, in characters.
const MAX_SHOWN: usize = 120;

/// A place at which two values differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path of the place.
    pub path: String,
    /// The expected value.
    pub expected: String,
    /// The value found.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            expected,
            found,
        } = self;
        write!(f, "{path}: expected {expected}, found {found}")
    }
}

/// Lists the places at which `found` differs from `expected`, with paths that start with `path`.
///
/// Numbers that are not both integers are equal within 1e-9. An expected `{"__type__": …}` marks a value
/// that could not be recorded, and equals any value of a matching kind.
pub fn compare(path: &str, expected: &Value, found: &Value) -> Vec<Difference> {
    let mut differences = Vec::new();
    collect(path, Some(expected), Some(found), &mut differences);
    differences
}

fn collect(
    path: &str,
    expected: Option<&Value>,
    found: Option<&Value>,
    differences: &mut Vec<Difference>,
) {
    match (expected, found) {
        (Some(Value::Object(expected)), Some(Value::Object(found))) if !is_opaque(expected) => {
            for (key, value) in expected {
                collect(&join(path, key), Some(value), found.get(key), differences);
            }
            for (key, value) in found {
                if !expected.contains_key(key) {
                    collect(&join(path, key), None, Some(value), differences);
                }
            }
        }
        (Some(Value::Array(expected)), Some(Value::Array(found))) => {
            for i in 0..expected.len().max(found.len()) {
                let path = format!("{path}[{i}]");
                collect(&path, expected.get(i), found.get(i), differences);
            }
        }
        _ if are_equal(expected, found) => {}
        _ => differences.push(Difference {
            path: path.to_owned(),
            expected: shown(expected),
            found: shown(found),
        }),
    }
}

/// Compares two values. At least one of them is a scalar, missing or opaque.
fn are_equal(expected: Option<&Value>, found: Option<&Value>) -> bool {
    match (expected, found) {
        (Some(Value::Number(expected)), Some(Value::Number(found))) => {
            let are_whole = !expected.is_f64() && !found.is_f64();
            match (expected.as_f64(), found.as_f64()) {
                (Some(a), Some(b)) if !are_whole => {
                    (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(1.0)
                }
                _ => expected == found,
            }
        }
        (Some(Value::Object(expected)), Some(found)) if is_opaque(expected) => {
            match expected.get(OPAQUE).and_then(Value::as_str) {
                Some("mpf" | "Decimal") => found.is_number(),
                Some("set") => found.is_array(),
                _ => true,
            }
        }
        _ => expected == found,
    }
}

/// The key that marks a value that could not be recorded; its value is the type.
const OPAQUE: &str = "__type__";

fn is_opaque(object: &serde_json::Map<String, Value>) -> bool {
    object.contains_key(OPAQUE)
}

fn join(path: &str, key: &str) -> String {
    let is_plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_plain {
        format!("{path}.{key}")
    } else {
        format!("{path}[{key:?}]")
    }
}

fn shown(value: Option<&Value>) -> String {
    let Some(value) = value else {
        return "nothing".to_owned();
    };
    let text = value.to_string();
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn paths(expected: Value, found: Value) -> Vec<String> {
        let differences = compare("state", &expected, &found);
        differences
            .into_iter()
            .map(|difference| difference.path)
            .collect()
    }

    #[test]
    fn each_difference_has_its_path() {
        let expected = json!({ "root": { "a.txt": [1, 2], "b": true }, "gone": null });
        let found = json!({ "root": { "a.txt": [1, 3, 4], "b": true }, "new": 0 });
        assert_eq!(
            paths(expected, found),
            [
                r#"state.root["a.txt"][1]"#,
                r#"state.root["a.txt"][2]"#,
                "state.gone",
                "state.new"
            ]
        );
    }

    #[test]
    fn numbers_are_equal_within_a_tolerance_unless_both_are_integers() {
        assert!(paths(json!(6500), json!(6500.0)).is_empty());
        assert!(paths(json!(0.1 + 0.2), json!(0.3)).is_empty());
        assert!(paths(json!(1e300), json!(1.000_000_000_000_1e300)).is_empty());
        assert_eq!(paths(json!(0.3), json!(0.300_001)), ["state"]);
        assert_eq!(
            paths(json!(5_000_000_000_i64), json!(5_000_000_001_i64)),
            ["state"]
        );
        assert_eq!(paths(json!(1), json!(true)), ["state"]);
    }

    #[test]
    fn a_value_that_could_not_be_recorded_is_compared_by_its_kind() {
        assert!(paths(json!({ "__type__": "mpf" }), json!(2.5)).is_empty());
        assert!(paths(json!({ "__type__": "set" }), json!([1])).is_empty());
        assert_eq!(paths(json!({ "__type__": "set" }), json!({})), ["state"]);
    }
}
