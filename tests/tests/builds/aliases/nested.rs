//! Renamed fields below one another, and in long lists.

use super::{left, read, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// Reads a number that may be a text.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Number {
        Number(u32),
        Text(String),
    }
    match Number::deserialize(deserializer)? {
        Number::Number(number) => Ok(number),
        Number::Text(text) => text.parse().map_err(serde::de::Error::custom),
    }
}

/// Another number each time.
fn next() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A key in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[schemars(transparent)]
pub struct Lower(String);

impl<'de> Deserialize<'de> for Lower {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(text.to_lowercase()))
    }
}

builds! {
    old {
        /// A part.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Part { sku: String, weight: String }

        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { parts: Vec<Part>, notes: Vec<String> }

        /// A tag.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub struct Tag { label: String }
    } {
        pub lines: Vec<Line>,
        pub by_name: BTreeMap<String, Line>,
        pub tags: HashSet<Tag>,
    }
    required {
        /// A part.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Part {
            #[serde(alias = "sku")] article: String,
            #[serde(alias = "weight", deserialize_with = "number")] grams: u32,
        }

        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line {
            #[serde(alias = "parts")] pieces: Vec<Part>,
            #[serde(alias = "notes", default, skip_serializing_if = "Vec::is_empty")] remarks: Vec<String>,
        }

        /// A tag.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub struct Tag { #[serde(alias = "label")] text: String }
    } {
        #[serde(alias = "lines")] pub entries: Vec<Line>,
        #[serde(alias = "by_name")] pub index: BTreeMap<String, Line>,
        #[serde(alias = "tags")] pub marks: HashSet<Tag>,
    }
    defaulted {
        /// A part.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        pub struct Part {
            #[serde(alias = "sku")] article: String,
            #[serde(alias = "weight", deserialize_with = "number")] grams: u32,
        }

        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        pub struct Line {
            #[serde(alias = "parts")] pieces: Vec<Part>,
            #[serde(alias = "notes", skip_serializing_if = "Vec::is_empty")] remarks: Vec<String>,
        }

        /// A tag.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        pub struct Tag { #[serde(alias = "label")] text: String }
    } {
        #[serde(alias = "lines")] pub entries: Vec<Line>,
        #[serde(alias = "by_name")] pub index: BTreeMap<String, Line>,
        #[serde(alias = "tags")] pub marks: HashSet<Tag>,
    }
    stamped {
        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line {
            #[serde(alias = "name")] title: String,
            #[serde(default = "next")] number: u64,
        }
    } {
        #[serde(alias = "lines")] pub entries: Vec<Line>,
        #[serde(default = "next")] pub stamp: u64,
    }
    stamped_without_name {
        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { #[serde(default = "next")] number: u64 }
    } {
        #[serde(alias = "lines")] pub entries: Vec<Line>,
        #[serde(default = "next")] pub stamp: u64,
    }
    named {
        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { name: String, amount: u32 }
    } { pub lines: Vec<Line>, }
    named_alone {
        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { name: String }
    } { pub lines: Vec<Line>, }
    flat {
        /// A name.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Name { #[serde(alias = "name")] title: String }

        /// A line.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { #[serde(flatten)] name: Name }
    } { #[serde(alias = "lines")] pub entries: Vec<Line>, }
    tagged {
        /// A shape, and a variant with the same fields.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "kind")]
        pub enum Shape { Square { side: String }, Round { side: String } }
    } { pub shapes: Vec<Shape>, }
    tagged_later {
        /// A shape: the round one has lost its side, and has another new field.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "kind")]
        pub enum Shape {
            Square { #[serde(alias = "side", deserialize_with = "number")] width: u32 },
            Round { #[serde(default)] width: u32 },
        }
    } { pub shapes: Vec<Shape>, }
    texts {} { pub counts: BTreeMap<String, u32>, }
    lower {} { pub counts: BTreeMap<Lower, u32>, pub is_open: bool, }
}

/// Lines with parts, some of which have default values.
fn lines(names: [&str; 3], weight: fn(usize) -> Value) -> Vec<Value> {
    let [parts, sku, grams] = names;
    let line = |index: usize| {
        let part = |part: usize| {
            let number = (index + part) % 5;
            let text = if number == 0 { "" } else { "ink" };
            json!({ sku: text, grams: weight(number * index) })
        };
        json!({ parts: [part(0), part(1)] })
    };
    (0..400).map(line).collect()
}

async fn check_long_lists<New: Agent + AgentRunsWith<()>>() {
    let mut stored = lines(["parts", "sku", "weight"], |weight| {
        json!(weight.to_string())
    });
    for (index, line) in stored.iter_mut().enumerate() {
        line["notes"] = if index % 2 == 0 {
            json!([])
        } else {
            json!(["n"])
        };
    }
    let by_name = |lines: &[Value]| -> Value {
        let entries = lines.iter().enumerate();
        entries
            .map(|(index, line)| (format!("k{index}"), line.clone()))
            .collect()
    };
    let tags: Vec<_> = (0..300)
        .map(|tag| json!({ "label": tag.to_string() }))
        .collect();
    let index = by_name(&stored);
    let memory =
        left::<old::Listing>(json!({ "lines": stored, "by_name": index, "tags": tags })).await;
    let mut read = read::<New>(&memory).await;
    let mut expected = lines(["pieces", "article", "grams"], |weight| json!(weight));
    for line in expected.iter_mut().skip(1).step_by(2) {
        line["remarks"] = json!(["n"]);
    }
    assert_eq!(read["marks"].take().as_array().unwrap().len(), 300);
    assert_eq!(read["index"], by_name(&expected));
    assert_eq!(read["entries"], Value::from(expected));
}

#[timed_test::test]
async fn renamed_fields_below_one_another_are_read_in_long_lists() {
    check_long_lists::<required::Listing>().await;
    check_long_lists::<defaulted::Listing>().await;
}

#[timed_test::test]
async fn a_renamed_field_is_read_beside_a_default_that_changes_with_each_reading() {
    let line = |index: u32| json!({ "name": format!("n{index}"), "amount": 0 });
    let stored: Vec<_> = (0..300).map(line).collect();
    let memory = left::<named::Listing>(json!({ "lines": stored })).await;
    // The amount is lost in the next build.
    let reason = refused::<stamped::Listing>(&memory).await;
    assert!(
        reason.starts_with("`lines.0.amount` is stored and not read"),
        "{reason}"
    );
    let stored: Vec<_> = (0..300)
        .map(|index| json!({ "name": format!("n{index}") }))
        .collect();
    let memory = left::<named_alone::Listing>(json!({ "lines": stored })).await;
    let reason = refused::<stamped_without_name::Listing>(&memory).await;
    assert!(
        reason.starts_with("`lines.0.name` is stored and not read; drop"),
        "{reason}"
    );
    let read = read::<stamped::Listing>(&memory).await;
    assert_eq!(read["entries"][299]["title"], "n299");
}

#[timed_test::test]
async fn a_field_that_one_variant_has_lost_is_not_taken_for_a_renamed_one() {
    let shapes = json!([{ "kind": "Square", "side": "1" }, { "kind": "Round", "side": "2" }]);
    let memory = left::<tagged::Listing>(json!({ "shapes": shapes })).await;
    let reason = refused::<tagged_later::Listing>(&memory).await;
    assert!(
        reason.starts_with("`shapes.1.side` is stored and not read"),
        "{reason}"
    );
}

#[timed_test::test]
async fn a_renamed_field_of_a_flattened_struct_is_read() {
    let line = |index: u32| json!({ "name": format!("n{index}") });
    let stored: Vec<_> = (0..300).map(line).collect();
    let memory = left::<named_alone::Listing>(json!({ "lines": stored })).await;
    let read = read::<flat::Listing>(&memory).await;
    assert_eq!(read["entries"][299], json!({ "title": "n299" }));
}

#[timed_test::test]
async fn a_state_with_too_many_earlier_names_is_refused_without_a_loss() {
    let counts = |names: u32| -> Value {
        (0..names)
            .map(|name| (format!("N{name}"), json!(name)))
            .collect()
    };
    let memory = left::<texts::Listing>(json!({ "counts": counts(100) })).await;
    let read = read::<lower::Listing>(&memory).await;
    assert_eq!(read["counts"]["n99"], 99);
    let memory = left::<texts::Listing>(json!({ "counts": counts(300) })).await;
    let reason = refused::<lower::Listing>(&memory).await;
    let cure = "is stored and not read; the state has more than 200 earlier names, so implement `Hooks::restore`";
    assert!(reason.ends_with(cure), "{reason}");
}
