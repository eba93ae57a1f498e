use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde_json::json;
use std::fmt;

use crate::problem::wording::of_json;
use crate::tests::*;
use crate::{Problem, ReadError, read, read_document, read_value};

fn problem<T: std::fmt::Debug>(result: Result<T, ReadError>) -> Problem {
    match result {
        Err(ReadError::Data(problem)) => problem,
        other => panic!("no problem with the data: {other:?}"),
    }
}

fn path_and_message<T: serde::de::DeserializeOwned + std::fmt::Debug>(
    text: &str,
) -> (String, String) {
    let problem = problem(read::<T>(text));
    (problem.path, problem.message)
}

#[test]
fn a_mistake_has_a_path_and_the_words_of_the_type() {
    for (text, path, message) in [
        (
            r#"{"precision":"two"}"#,
            "precision",
            "invalid type: string \"two\", expected a non-negative integer",
        ),
        (
            r#"{"inner":{"count":-1,"ratio":0}}"#,
            "inner.count",
            "invalid value: integer `-1`, expected an integer from 0 to 4294967295",
        ),
        (r#"{"inner":{"count":1}}"#, "inner", "missing field `ratio`"),
        (
            r#"{"inners":[{"count":1,"ratio":1},{"count":1}]}"#,
            "inners[1]",
            "missing field `ratio`",
        ),
        (
            r#"{"samples":[1,2,null]}"#,
            "samples[2]",
            "invalid type: null, expected a number",
        ),
        (r#"{"short":"too long"}"#, "short", "8 bytes are too many"),
        (
            r#"{"by_number":{"one":1}}"#,
            "by_number.one",
            "expected key to be a number in quotes",
        ),
        (
            r#"{"by_name":{"a b":3}}"#,
            r#"by_name["a b"]"#,
            "invalid type: integer `3`, expected an object",
        ),
        (
            r#"{"shape":{"Circle":{"radius":"r"}}}"#,
            "shape.Circle.radius",
            "invalid type: string \"r\", expected a number",
        ),
        (
            r#"{"shape":"Circle"}"#,
            "shape",
            "invalid type: a string, expected an object",
        ),
        (
            r#"{"shape":{"Square":1,"Empty":null}}"#,
            "shape",
            "invalid value: an object, expected an object with a single key",
        ),
        (
            r#"{"shape":7}"#,
            "shape",
            "invalid type: integer `7`, expected a string or an object",
        ),
        (
            r#"{"pair":[1,2,3]}"#,
            "pair",
            "invalid length 3, expected fewer items",
        ),
        (
            r#"{"last_result":1e999}"#,
            "last_result",
            "number out of range",
        ),
        (
            r#"{"name":"\ud800"}"#,
            "name",
            "unexpected end of hex escape",
        ),
        (
            r#"{"on":true,"on":true}"#,
            "on",
            "the key `on` is given twice",
        ),
    ] {
        let (got_path, got_message) = path_and_message::<Everything>(text);
        assert_eq!((&got_path[..], &got_message[..]), (path, message), "{text}");
    }
}

#[test]
fn a_missing_field_has_the_path_of_its_object() {
    let missing = problem(read::<Strict>("{}"));
    assert_eq!(missing, Problem::new("", "missing field `alpha`"));
    assert_eq!(
        missing.to_string(),
        "at the top level: missing field `alpha`"
    );
}

#[test]
fn an_unknown_field_has_its_own_path_and_a_suggestion() {
    let unknown = problem(read::<Strict>(r#"{"alhpa":1}"#));
    assert_eq!(unknown.path, "alhpa");
    assert_eq!(
        unknown.message,
        "unknown field `alhpa`, expected `alpha` or `beta`"
    );
    assert_eq!(unknown.help.as_deref(), Some("did you mean `alpha`?"));
    let unknown = problem(read::<Everything>(r#"{"shape":"Sqare"}"#));
    assert_eq!(unknown.path, "shape");
    assert_eq!(unknown.help.as_deref(), Some("did you mean `Square`?"));
    let unknown = problem(read::<Strict>(r#"{"unlike":1}"#));
    assert_eq!(unknown.help, None);
}

#[test]
fn invalid_json_is_a_syntax_error_even_after_a_wrong_type() {
    for text in [
        "{",
        "nul",
        "{\"alpha\":\"x\",}",
        "{} {}",
        "{'a':1}",
        "[1 2]",
    ] {
        let error = read::<Strict>(text).unwrap_err();
        assert!(
            matches!(error, ReadError::Syntax { line: 1, .. }),
            "{text}: {error}"
        );
        let error = read_document(text, 100).unwrap_err();
        assert!(
            matches!(error, ReadError::Syntax { line: 1, .. }),
            "{text}: {error}"
        );
    }
    let error = read::<Strict>("{\"alpha\":1}\nx").unwrap_err();
    assert_eq!(
        error.to_string(),
        "not JSON: trailing characters at line 2 column 1"
    );
}

#[test]
fn integers_above_64_bits_are_read_and_do_not_hide_a_mistake_elsewhere() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Wide {
        wide: u128,
        b: u8,
    }
    let wide = u128::MAX;
    let text = format!(r#"{{"wide":{wide},"b":1}}"#);
    assert_eq!(read::<Wide>(&text), Ok(Wide { wide, b: 1 }));
    let text = format!(r#"{{"wide":{wide}}}"#);
    assert_eq!(path_and_message::<Wide>(&text).1, "missing field `b`");
}

/// Bytes, read from a string or an array.
#[derive(Debug, PartialEq)]
struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(BytesVisitor)
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes, E> {
        Ok(Bytes(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Bytes, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = seq.next_element()? {
            bytes.push(byte);
        }
        Ok(Bytes(bytes))
    }
}

#[test]
fn bytes_are_read_as_serde_json_reads_them_from_a_value() {
    for value in [json!("ab"), json!([97, 98]), json!([])] {
        let theirs = serde_json::from_value::<Bytes>(value.clone()).unwrap();
        assert_eq!(read_value::<Bytes>(&value).unwrap(), theirs);
    }
    for value in [json!(null), json!(7), json!({}), json!(1.5)] {
        let theirs = serde_json::from_value::<Bytes>(value.clone()).unwrap_err();
        let ours = problem(read_value::<Bytes>(&value));
        assert_eq!(ours.message, of_json(&theirs.to_string()));
    }
    let ours = problem(read_value::<Bytes>(&json!([97, 256])));
    assert_eq!(ours.path, "[1]");
}

#[test]
fn a_repeated_key_is_refused_with_its_path() {
    let twice = problem(read_document(r#"{"a":[{"b":1},{"b":1,"c":2,"b":3}]}"#, 100));
    assert_eq!(twice, Problem::new("a[1].b", "the key `b` is given twice"));
    let twice = problem(read_document(r#"{"a":1,"\u0061":2}"#, 100));
    assert_eq!(twice.path, "a");
    assert!(read_document(r#"{"a":{"a":{"a":1}}}"#, 100).is_ok());
}

#[test]
fn the_shortest_text_that_repeats_a_key_within_is_refused() {
    let twice = |problem: Problem| assert_eq!(problem.message, "the key `` is given twice");
    for text in [r#"{"":{"":0,"":0}}"#, "\n {\"\":{\"\":0,\"\":0}}"] {
        twice(problem(read::<BTreeMap<String, BTreeMap<String, u8>>>(
            text,
        )));
    }
    twice(problem(read::<[BTreeMap<String, u8>; 1]>(
        r#"[{"":0,"":0}]"#,
    )));
}

#[test]
fn a_number_no_float_can_hold_is_refused_with_its_path() {
    let large = problem(read_document(r#"{"a":[0,1e999]}"#, 100));
    assert_eq!(large, Problem::new("a[1]", "number out of range"));
}

#[test]
fn a_swallowed_failure_is_not_reported_for_a_later_one() {
    #[derive(Debug)]
    struct Lenient;
    impl<'de> Deserialize<'de> for Lenient {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let _ = u8::deserialize(deserializer);
            Ok(Self)
        }
    }
    #[derive(Debug, Deserialize)]
    struct Both {
        #[serde(rename = "a")]
        _a: Lenient,
        #[serde(rename = "b")]
        _b: u8,
    }
    let wrong = problem(read_value::<Both>(&json!({ "a": [], "b": true })));
    assert_eq!(wrong.path, "b");
}

#[test]
fn long_keys_and_texts_do_not_make_long_messages() {
    let long = "k".repeat(100_000);
    for text in [
        format!(r#"{{"{long}":1}}"#),
        format!(r#"{{"alpha":"{long}"}}"#),
    ] {
        let message = read::<Strict>(&text).unwrap_err().to_string();
        assert!(message.len() < 2_000, "{}", message.len());
    }
}

#[test]
fn an_empty_text_is_an_empty_object() {
    for text in ["", " \n\t"] {
        assert_eq!(read::<Everything>(text), Ok(Everything::default()));
        assert_eq!(read::<Value>(text), Ok(json!({})));
        let missing = problem(read::<Strict>(text));
        assert_eq!(missing, Problem::new("", "missing field `alpha`"));
        assert!(read_document(text, 100).is_err());
    }
}

#[test]
fn an_integer_may_be_written_as_a_float() {
    for (text, expected) in [
        ("2.0", 2),
        ("1e3", 1_000),
        ("-5.00e0", -5),
        ("-0.0", 0),
        ("9007199254740992.0", 1 << 53),
        ("-9007199254740992e0", -1 << 53),
    ] {
        assert_eq!(read::<i64>(text), Ok(expected), "{text}");
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(read_value::<i128>(&value), Ok(expected.into()), "{text}");
        assert_eq!(read::<f64>(text), Ok(expected as f64), "{text}");
    }
    assert_eq!(read::<Vec<u8>>("[255.0]"), Ok(vec![255]));
    for (text, message) in [
        (
            "2.5",
            "invalid type: floating point `2.5`, expected a non-negative integer",
        ),
        (
            "256.0",
            "invalid value: integer `256`, expected an integer from 0 to 255",
        ),
        (
            "-1.0",
            "invalid value: integer `-1`, expected an integer from 0 to 255",
        ),
        (
            "1e16",
            "1e+16 is beyond 2^53, where a float may be another integer than the one that was meant; write its digits",
        ),
    ] {
        assert_eq!(problem(read::<u8>(text)).message, message);
    }
    assert_eq!(read::<u64>("10000000000000000"), Ok(10_000_000_000_000_000));
    // Digits lost in a value are not guessed.
    let wide = problem(read::<(i128, u8)>("[99999999999999999999, 2.0]"));
    assert!(
        wide.message
            .starts_with("invalid type: floating point `2.0`"),
        "{wide}"
    );
    let repeated = problem(read::<Everything>(r#"{"precision":1.0,"precision":2.0}"#));
    assert_eq!(repeated.message, "the key `precision` is given twice");
}
