//! The laws of this crate, and the types they are tested with.

mod read;
mod schema;
mod updates;
mod writing;

use std::collections::BTreeMap;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Layout, Problem, Update, update};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
enum Shape {
    Empty,
    Circle { radius: f64 },
    Square(f64),
    Pair(f64, u8),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    A { a: f64 },
    B { b: Option<f64> },
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Inner {
    count: u32,
    ratio: f64,
}

/// A string of at most four bytes; longer ones are refused by a conversion, not by serde.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
struct Short(String);

impl TryFrom<String> for Short {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.len() {
            0..=4 => Ok(Self(text)),
            long => Err(format!("{long} bytes are too many")),
        }
    }
}

impl From<Short> for String {
    fn from(short: Short) -> Self {
        short.0
    }
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    alpha: f64,
    beta: Option<Vec<Inner>>,
}

/// One of everything that serde knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Everything {
    precision: u32,
    last_result: f64,
    name: String,
    short: Short,
    letter: char,
    on: bool,
    unit: (),
    pair: (f32, i8),
    inner: Inner,
    maybe: Option<Inner>,
    perhaps: Option<f64>,
    samples: Vec<f64>,
    inners: Vec<Inner>,
    by_number: BTreeMap<u32, f64>,
    by_name: BTreeMap<String, Inner>,
    shape: Shape,
    shapes: Vec<Shape>,
    tagged: Tagged,
    free: Value,
}

impl Default for Everything {
    fn default() -> Self {
        Self {
            precision: 2,
            last_result: 0.5,
            name: "n".into(),
            short: Short("s".into()),
            letter: 'x',
            on: false,
            unit: (),
            pair: (1.5, -1),
            inner: Inner::default(),
            maybe: Some(Inner::default()),
            perhaps: None,
            samples: vec![1.0],
            inners: vec![],
            by_number: BTreeMap::from([(7, 1.0)]),
            by_name: BTreeMap::from([("a".into(), Inner::default())]),
            shape: Shape::Circle { radius: 1.0 },
            shapes: vec![],
            tagged: Tagged::A { a: 1.0 },
            free: Value::Null,
        }
    }
}

/// Returns whether the float is read back exactly. Without the feature `ordered-json`, some are not.
fn is_read_back(float: f64) -> bool {
    cfg!(feature = "ordered-json")
        || serde_json::from_str::<f64>(&serde_json::to_string(&float).unwrap())
            .is_ok_and(|read| read == float)
}

/// Returns the list in the order of object keys: sorted without the feature `ordered-json`.
pub(crate) fn in_key_order<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    if !cfg!(feature = "ordered-json") {
        list.sort();
    }
    list
}

/// Generates any JSON, with keys that mean something to the types above.
fn any_json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        prop::sample::select(vec![
            "Empty", "Circle", "Square", "A", "B", "kind", "", "null", "7", "-1", "1.0", "true"
        ])
        .prop_map(String::from),
        any::<String>(),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-300i64..300).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has no others", |float| float.is_finite()
                && is_read_back(*float))
            .prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    let key = prop_oneof![
        8 => prop::sample::select(vec![
            "precision", "last_result", "name", "short", "letter", "on", "unit", "pair", "inner", "maybe",
            "perhaps", "samples", "inners", "by_number", "by_name", "shape", "shapes", "tagged", "free",
            "count", "ratio", "radius", "Circle", "Square", "Pair", "Empty", "kind", "a", "b", "7",
        ])
        .prop_map(String::from),
        1 => any::<String>(),
    ];
    leaf.prop_recursive(4, 40, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((key.clone(), inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Generates a valid document with some of its top-level values replaced by any JSON.
fn damaged() -> impl Strategy<Value = Value> {
    let whole = serde_json::to_value(Everything::default()).unwrap();
    prop::collection::vec((0usize..19, any_json()), 0..4).prop_map(move |changes| {
        let mut whole = whole.clone();
        for (index, value) in changes {
            *whole
                .as_object_mut()
                .unwrap()
                .values_mut()
                .nth(index)
                .unwrap() = value;
        }
        whole
    })
}

/// Returns `levels` nested arrays or objects.
fn nested(levels: usize, as_objects: bool) -> Value {
    (0..levels).fold(Value::Null, |inner, _| {
        if as_objects {
            Value::Object(Map::from_iter([("k".to_owned(), inner)]))
        } else {
            Value::Array(vec![inner])
        }
    })
}

/// Drops a value level by level, because `Drop` for serde_json's `Value` recurses and would overflow the stack.
fn dismantle(value: Value) {
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Array(items) => todo.extend(items),
            Value::Object(entries) => todo.extend(entries.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

fn merged<T: Serialize + serde::de::DeserializeOwned + JsonSchema>(
    current: &T,
    patch: Value,
) -> Result<T, Vec<Problem>> {
    updated(current, &patch, Update::Patch)
}

/// Reads a whole `document` and takes its missing fields from `current`.
fn replaced<T: Serialize + serde::de::DeserializeOwned + JsonSchema>(
    current: &T,
    document: Value,
) -> Result<T, Vec<Problem>> {
    updated(current, &document, Update::Replace)
}

fn updated<T: Serialize + serde::de::DeserializeOwned + JsonSchema>(
    current: &T,
    document: &Value,
    kind: Update,
) -> Result<T, Vec<Problem>> {
    let mut problems = Vec::new();
    match update(
        current,
        document,
        kind,
        "",
        Layout::default(),
        &mut problems,
    ) {
        Some(value) if problems.is_empty() => Ok(value),
        None if !problems.is_empty() => Err(problems),
        other => panic!(
            "{} with {problems:?}",
            if other.is_some() { "a value" } else { "none" }
        ),
    }
}

fn paths(problems: &[Problem]) -> Vec<&str> {
    problems.iter().map(|problem| &problem.path[..]).collect()
}
