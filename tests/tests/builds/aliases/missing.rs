//! Renamed fields and variants without their aliases.

use super::{left, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;

builds! {
    named {
        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { name: String, amount: u32 }
    } { pub lines: Vec<Line>, }
    titled {
        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { title: String, pieces: u32 }
    } { pub lines: Vec<Line>, }
    half_titled {
        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { title: String, #[serde(alias = "amount")] pieces: u32 }
    } { pub lines: Vec<Line>, }
    strict {
        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct Line { title: String, amount: u32 }
    } { pub lines: Vec<Line>, }
    default_titled {
        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        pub struct Line { title: String, amount: u32 }
    } { pub lines: Vec<Line>, }
    fast {
        /// A mode.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Mode { #[default] Off, Fast { speed: u8 } }
    } { pub modes: Vec<Mode>, }
    quick {
        /// A mode.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Mode { #[default] Off, Quick { speed: u8 } }
    } { pub modes: Vec<Mode>, }
    outcomes {
        /// An outcome.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Outcome { Value(u8) }
    } { pub outcomes: Vec<Outcome>, }
    results {
        /// An outcome.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Outcome { Value(u8) }
    } { pub outcomes: Vec<Result<Outcome, String>>, }
    numbered {
        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { name: String, amount: u32, number: u32 }
    } { pub lines: Vec<Line>, }
    eager {
        /// A mode.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Mode { Fast }

        /// A line.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { mode: Option<Mode> }
    } { pub lines: Vec<Line>, }
    lenient {
        /// A mode.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Mode { Slow }

        /// Reads an unknown mode as `None`.
        fn mode<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Mode>, D::Error> {
            let mode: Option<Value> = Option::deserialize(deserializer)?;
            Ok(mode.and_then(|mode| serde_json::from_value(mode).ok()))
        }

        /// A line.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { #[serde(deserialize_with = "mode")] mode: Option<Mode> }
    } { pub lines: Vec<Line>, }
}

#[timed_test::test]
async fn a_renamed_field_without_alias_is_refused_with_the_alias_first() {
    let line = json!({ "name": "ink", "amount": 2 });
    let stored = json!({ "lines": [line, line] });
    let drop = "drop `jobs.lines` with `AgentServer::builder(...).forget(\"jobs.lines\")`, or implement `Hooks::restore`";
    let memory = left::<named::Listing>(stored).await;
    let alias = |what: &str, name: &str| {
        format!("read {what} under its new name with `#[serde(alias = \"{name}\")]`, {drop}")
    };
    let reason = refused::<titled::Listing>(&memory).await;
    // Both fields are renamed, and either may be named first.
    let aliases = ["name", "amount"].map(|field| alias(&format!("`{field}`"), field));
    assert!(
        aliases.iter().any(|alias| reason.ends_with(alias)),
        "{reason}"
    );
    let reason = refused::<half_titled::Listing>(&memory).await;
    let expected = alias("`name`", "name");
    assert_eq!(
        reason,
        format!("it cannot be read: missing field `title`; {expected}")
    );
    let reason = refused::<strict::Listing>(&memory).await;
    assert!(
        reason.starts_with("it cannot be read: unknown field `name`"),
        "{reason}"
    );
    assert!(reason.ends_with(&expected), "{reason}");
    let reason = refused::<default_titled::Listing>(&memory).await;
    let expected = alias("it", "name");
    assert_eq!(
        reason,
        format!("`lines.0.name` is stored and not read; {expected}")
    );
}

#[timed_test::test]
async fn a_new_field_without_a_default_is_refused_with_the_default_first() {
    let memory = left::<named::Listing>(json!({ "lines": [{ "name": "ink", "amount": 2 }] })).await;
    let reason = refused::<numbered::Listing>(&memory).await;
    assert_eq!(
        reason,
        "it cannot be read: missing field `number`; give `number` a default with `#[serde(default)]`, drop `jobs.lines` with \
         `AgentServer::builder(...).forget(\"jobs.lines\")`, or implement `Hooks::restore`"
    );
}

#[timed_test::test]
async fn a_renamed_variant_without_alias_is_refused_with_the_alias_first() {
    let memory = left::<fast::Listing>(json!({ "modes": [{ "Fast": { "speed": 1 } }] })).await;
    let reason = refused::<quick::Listing>(&memory).await;
    let cure = "; read the variant under its new name with `#[serde(alias = \"…\")]`, drop `jobs.modes` with";
    assert!(reason.contains(cure), "{reason}");
}

#[timed_test::test]
async fn a_variant_that_no_new_name_explains_is_refused_without_an_alias() {
    let memory = left::<outcomes::Listing>(json!({ "outcomes": [{ "Value": 1 }] })).await;
    let reason = refused::<results::Listing>(&memory).await;
    assert!(
        reason.starts_with("it cannot be read: unknown variant"),
        "{reason}"
    );
    assert!(!reason.contains("alias"), "{reason}");
}

#[timed_test::test]
async fn a_field_that_reads_an_unknown_variant_as_nothing_is_refused() {
    let memory = left::<eager::Listing>(json!({ "lines": [{ "mode": "Fast" }] })).await;
    let reason = refused::<lenient::Listing>(&memory).await;
    assert!(
        reason.starts_with("`lines.0.mode` is read with another value"),
        "{reason}"
    );
}
