//! Tests that all mistakes in a call's arguments are found.

use crate::tests::in_key_order;
use crate::{MAX_ARGUMENT_BYTES, ReadError, Sent, read, schema_of, with_all_mistakes};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::Ipv4Addr;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct StepOf {
    name: String,
    #[serde(default)]
    minutes: u8,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Pace {
    Slow,
    Fast,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Place {
    Name(String),
    At { x: f64, y: f64 },
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Plan {
    title: String,
    steps: Vec<StepOf>,
    pace: Pace,
    #[serde(default)]
    host: Option<Ipv4Addr>,
    #[serde(default)]
    #[schemars(range(min = 1))]
    times: u32,
    #[serde(default)]
    first: Option<StepOf>,
    #[serde(default)]
    by_day: BTreeMap<String, u8>,
    #[serde(default)]
    place: Option<Place>,
    #[serde(default)]
    pair: (u8, u8),
}

/// A type that no sample fits.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(transparent)]
struct Odd(String);

impl<'de> Deserialize<'de> for Odd {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Err(serde::de::Error::custom(format_args!(
            "`{text}` is not odd"
        )))
    }
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Oddities {
    first: Odd,
    count: u8,
    second: Odd,
    #[serde(default)]
    name: String,
}

fn error<T: DeserializeOwned + JsonSchema + std::fmt::Debug>(text: &str) -> ReadError {
    let schema = schema_of::<T>().to_value();
    with_all_mistakes::<T>(read::<T>(text).unwrap_err(), Sent::Text(text), &schema)
}

fn mistakes<T: DeserializeOwned + JsonSchema + std::fmt::Debug>(text: &str) -> Vec<String> {
    let problems = error::<T>(text);
    problems
        .problems()
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// Checks the mistakes in text order, or in key order without the feature `ordered-json`.
#[track_caller]
fn assert_mistakes<T: DeserializeOwned + JsonSchema + std::fmt::Debug>(
    text: &str,
    expected: &[&str],
) {
    let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
    assert_eq!(
        in_key_order(mistakes::<T>(text)),
        in_key_order(expected),
        "{text}"
    );
}

#[test]
fn all_mistakes_are_named_in_the_order_of_the_text() {
    let fields = in_key_order(vec!["`name`", "`minutes`"]).join(" and ");
    let text = r#"{
        "steps": [{"name": 1, "minutes": "5"}, 7, {"minutes": 300}, []],
        "pase": "slow",
        "pace": "fats",
        "title": ["a"],
        "host": "here",
        "times": null,
        "by_day": {"mo": 1, "tu": "two"},
        "place": {"x": 1},
        "pair": [1]
    }"#;
    assert_mistakes::<Plan>(
        text,
        &[
            "`steps[0].name`: invalid type: integer `1`, expected a string",
            "`steps[0].minutes`: invalid type: string \"5\", expected a non-negative integer",
            &format!(
                "`steps[1]`: invalid type: integer `7`, expected an object; its fields are {fields}"
            ),
            "`steps[2].minutes`: invalid value: integer `300`, expected an integer from 0 to 255",
            "`steps[2]`: missing field `name`",
            &format!("`steps[3]`: invalid length 0, expected an object; its fields are {fields}"),
            "`pase`: unknown field `pase`, expected one of `title`, `steps`, `pace`, `host`, `times`, `first`, `by_day`, `place`, `pair`; did you mean `pace`?",
            "`pace`: unknown variant `fats`, expected `slow` or `fast`; did you mean `fast`?",
            "`title`: invalid type: a list, expected a string",
            "`host`: invalid IPv4 address syntax; expected an IPv4 address, such as `192.0.2.1`",
            "`times`: invalid type: null, expected a non-negative integer; leave it out",
            "`by_day.tu`: invalid type: string \"two\", expected a non-negative integer",
            "`place`: it fits none of the alternatives; expected a string or an object with `x` and `y`",
            "`pair`: invalid length 1, expected a list of 2 items",
        ],
    );
    assert_mistakes::<Plan>(
        "{}",
        &[
            "at the top level: missing field `title`",
            "at the top level: missing field `steps`",
            "at the top level: missing field `pace`",
        ],
    );
}

#[test]
fn null_for_what_may_be_left_out_says_so_and_only_then() {
    let with = |more: &str| format!(r#"{{"title":"t","steps":[],"pace":"slow",{more}}}"#);
    for (more, expected) in [
        (
            r#""times":null"#,
            "`times`: invalid type: null, expected a non-negative integer; leave it out",
        ),
        (
            r#""by_day":null"#,
            "`by_day`: invalid type: null, expected an object; leave it out",
        ),
        (
            r#""pair":null"#,
            "`pair`: invalid type: null, expected a list of 2 items; leave it out",
        ),
        (
            r#""first":{"name":"n","minutes":null}"#,
            "`first.minutes`: invalid type: null, expected a non-negative integer; leave it out",
        ),
        (
            r#""first":{"name":null}"#,
            "`first.name`: invalid type: null, expected a string",
        ),
        (
            r#""by_day":{"mo":null}"#,
            "`by_day.mo`: invalid type: null, expected a non-negative integer",
        ),
        (
            r#""pair":[1,null]"#,
            "`pair[1]`: invalid type: null, expected a non-negative integer",
        ),
    ] {
        assert_mistakes::<Plan>(&with(more), &[expected]);
    }
    let text = r#"{"title":null,"steps":null,"pace":"slow"}"#;
    assert_mistakes::<Plan>(
        text,
        &[
            "`title`: invalid type: null, expected a string",
            "`steps`: invalid type: null, expected a list",
        ],
    );
}

#[test]
fn a_value_that_no_sample_replaces_hides_no_other() {
    assert_mistakes::<Oddities>(
        r#"{"first":"a","count":"b","second":"c","name":[]}"#,
        &[
            "`first`: `a` is not odd",
            "`count`: invalid type: string \"b\", expected a non-negative integer",
            "`second`: `c` is not odd",
            "`name`: invalid type: a list, expected a string",
        ],
    );
}

#[test]
fn a_repeated_key_is_named_beside_the_other_mistakes() {
    assert_mistakes::<Oddities>(
        r#"{"name":"a","name":1,"count":-1,"count":2,"first":3,"second":4}"#,
        &[
            "`name`: the key `name` is given twice",
            "`name`: invalid type: integer `1`, expected a string",
            "`first`: invalid type: integer `3`, expected a string",
            "`second`: invalid type: integer `4`, expected a string",
        ],
    );
}

#[test]
fn a_misspelled_name_is_one_mistake() {
    for (text, expected) in [
        (
            r#"{"titel":"t","steps":[],"pace":"slow"}"#,
            &[
                "`titel`: unknown field `titel`, expected one of `title`, `steps`, `pace`, `host`, `times`, `first`, `by_day`, `place`, `pair`; did you mean `title`?",
            ][..],
        ),
        (
            r#"{"titel":"t","pace":"slow","first":{"nam":"x"}}"#,
            &[
                "`titel`: unknown field `titel`, expected one of `title`, `steps`, `pace`, `host`, `times`, `first`, `by_day`, `place`, `pair`; did you mean `title`?",
                "`first`: missing field `name`",
                "at the top level: missing field `steps`",
            ],
        ),
    ] {
        assert_mistakes::<Plan>(text, expected);
    }
}

#[test]
fn what_a_type_ignores_is_no_mistake() {
    assert_eq!(
        mistakes::<StepOf>(r#"{"more":1,"name":2,"others":[null],"minutes":3}"#),
        ["`name`: invalid type: integer `2`, expected a string"]
    );
}

#[test]
fn a_mistake_alone_is_one_and_a_digit_that_a_value_loses_is_not_guessed() {
    assert!(matches!(error::<u8>("300"), ReadError::Data(_)));
    assert!(matches!(
        error::<(u8, u8)>("[300,-1]"),
        ReadError::Several(_)
    ));
    assert_eq!(
        mistakes::<(i128, u8)>("[99999999999999999999, 2.0]").len(),
        1
    );
    assert!(error::<u8>("[").problems().is_empty());
}

#[test]
fn very_many_mistakes_cost_little() {
    let items = MAX_ARGUMENT_BYTES / 4 - 2;
    let text = format!("[{}]", vec!["\"\""; items].join(", "));
    let text = &text[..text.len().min(MAX_ARGUMENT_BYTES)];
    let found = mistakes::<Vec<u8>>(text);
    assert!(found.len() <= 4, "{}", found.len());
    assert_eq!(
        found.last().unwrap(),
        "at the top level: so much is wrong here that the rest was not looked at"
    );
    let found = mistakes::<Vec<u8>>(&format!("[{}]", vec!["\"\""; 500].join(",")));
    assert_eq!(found.len(), 101);
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Amount {
    Cents(u64),
    Text { euros: f64 },
    Names(Vec<String>),
    Pace(Pace),
    Nothing,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Nested {
    Amount(Amount),
    Any(Never),
}

/// A type that reads nothing, whose schema allows everything.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(transparent)]
struct Never(serde_json::Value);

impl<'de> Deserialize<'de> for Never {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(serde::de::Error::custom("never"))
    }
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Order {
    #[serde(default)]
    at: Option<std::time::SystemTime>,
    #[serde(default)]
    amount: Option<Amount>,
    #[serde(default)]
    nested: Option<Nested>,
    #[serde(default)]
    by_day: BTreeMap<String, u8>,
}

#[test]
fn the_fields_of_an_object_and_the_alternatives_of_a_choice_are_listed() {
    let fields = in_key_order(vec!["`secs_since_epoch`", "`nanos_since_epoch`"]).join(" and ");
    for (text, expected) in [
        (
            r#"{"at":"2026-01-01T10:00:00Z"}"#,
            format!(
                "`at`: invalid type: string \"2026-01-01T10:00:00Z\", expected an object; its fields are {fields}"
            ),
        ),
        (
            r#"{"amount":"5 EUR"}"#,
            "`amount`: it fits none of the alternatives; expected a non-negative integer, an object with `euros`, a list, `slow`, \
             `fast` or null"
                .to_owned(),
        ),
        // one alternative has no words, so a list would be wrong
        (
            r#"{"nested":"5 EUR"}"#,
            "`nested`: it fits none of the alternatives".to_owned(),
        ),
        (
            r#"{"by_day":"today"}"#,
            "`by_day`: invalid type: string \"today\", expected an object".to_owned(),
        ),
    ] {
        assert_mistakes::<Order>(text, &[&expected]);
    }
}
