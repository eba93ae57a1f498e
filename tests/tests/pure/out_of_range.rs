//! Arguments of the right type outside the limits of `range`, `length` and `pattern`.

use crate::common::argument_cases;
use crate::common::argument_kinds::ArgumentAgent;
use crate::common::refused_calls::{argument_problem, call_error};
use serde_json::{Value, json};
use skill_agent::Agent;

#[test]
fn a_number_out_of_range_is_reported_with_its_path() {
    let ranges = |key: &str, value: Value| {
        let mut arguments = json!({ "stars": 1, "count": 1, "digit": 1, "offset": 0 });
        arguments[key] = value;
        argument_problem("ranges", &arguments)
    };
    let at = |path: &str, message: &str| (path.to_owned(), message.to_owned());
    assert_eq!(
        ranges("stars", json!(6)),
        at("stars", "6 is out of range, expected 1..=5")
    );
    assert_eq!(
        ranges("count", json!(0)),
        at("count", "0 is out of range, expected 1..")
    );
    assert_eq!(
        ranges("digit", json!(10)),
        at("digit", "10 is out of range, expected ..10")
    );
    assert_eq!(
        ranges("offset", json!(0.5)),
        at("offset", "0.5 is out of range, expected -0.5..0.5")
    );
    assert_eq!(
        ranges("percent", json!(-1)),
        at("percent", "-1 is out of range, expected 0..=100")
    );
    assert_eq!(
        ranges("stars", json!(256)),
        at(
            "stars",
            "invalid value: integer `256`, expected an integer from 0 to 255"
        )
    );
    assert_eq!(
        ranges("size", json!(-1)),
        at(
            "size",
            "invalid value: integer `-1`, expected an integer from 0 to 18446744073709551615"
        )
    );
}

#[test]
fn a_wrong_length_or_pattern_is_reported_with_its_path() {
    let at = |path: &str, message: &str| (path.to_owned(), message.to_owned());
    let arguments = json!({ "word": "é", "list": [], "map": { "a": 1 } });
    assert_eq!(
        argument_problem("lengths", &arguments),
        at("word", "the length 1 is out of range, expected 2..=4")
    );
    let arguments = json!({ "word": "ab", "list": [1, 2, 3], "map": { "a": 1 } });
    assert_eq!(
        argument_problem("lengths", &arguments),
        at("list", "the length 3 is out of range, expected ..3")
    );
    let arguments = json!({ "word": "Ab" });
    assert_eq!(
        argument_problem("patterns", &arguments),
        at("word", "\"Ab\" does not match the pattern `^[a-z]+$`")
    );
    let arguments = json!({ "word": "a", "part": "xyz" });
    assert_eq!(
        argument_problem("patterns", &arguments),
        at("part", "\"xyz\" does not match the pattern `a|b`")
    );
}

#[test]
fn a_constraint_on_an_argument_with_a_serde_attribute_names_the_argument() {
    // serde's derive reads the whole struct first, so the message names the argument and the path is empty
    let (path, message) = argument_problem("by_serde", &json!({ "number": 6 }));
    assert_eq!(path, "", "{message}");
    assert!(
        message.starts_with("the argument `number`: 6 is out of range"),
        "{message}"
    );
}

#[test]
fn a_number_that_no_type_can_hold_is_refused() {
    for text in [
        r#"{"number":18446744073709551616}"#,
        r#"{"number":1e400}"#,
        r#"{"number":1e17}"#,
    ] {
        let error = call_error(ArgumentAgent::new(), "options", text).to_string();
        assert!(error.contains("wrong"), "{error}");
    }
}

#[test]
fn a_float_that_its_type_cannot_hold_is_refused_with_its_path() {
    let mut numbers = argument_cases::all().remove(0).valid.remove(0);
    numbers["k"] = json!(1e300); // an `f32`
    let (path, message) = argument_problem("numbers", &numbers);
    assert_eq!(path, "k", "{message}");
}
