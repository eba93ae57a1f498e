//! Renamed fields and variants that users of serde reported.

use super::{jobs, left, on, read, refused, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use std::collections::BTreeMap;

builds! {
    snake {
        /// A source.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "type", rename_all = "camelCase")]
        pub enum Source { HttpGet { accept_ranges: bool, retry_count: u8 }, Local { base_path: String } }
    } { pub sources: Vec<Source>, }
    camel {
        /// A source whose fields follow the rule of its variants.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
        pub enum Source {
            HttpGet { #[serde(alias = "accept_ranges")] accept_ranges: bool, #[serde(alias = "retry_count")] retry_count: u8 },
            Local { #[serde(alias = "base_path")] base_path: String },
        }
    } { pub sources: Vec<Source>, }
    upper {
        /// A mode.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum Mode { Off, Fast }
    } { pub modes: Vec<Mode>, pub by_mode: BTreeMap<Mode, u32>, }
    lower {
        /// A mode.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "lowercase")]
        pub enum Mode { #[serde(alias = "Off")] Off, #[serde(alias = "Fast")] Fast }
    } { pub modes: Vec<Mode>, pub by_mode: BTreeMap<Mode, u32>, }
    two {} { pub exits: u32, pub new_exits: u32, }
    joined {} { #[serde(alias = "new_exits")] pub exits: u32, }
}

#[timed_test::test]
async fn fields_of_variants_that_get_a_rule_are_read_by_their_aliases() {
    let stored = json!([
        { "type": "httpGet", "accept_ranges": true, "retry_count": 2 },
        { "type": "local", "base_path": "p" },
        { "type": "httpGet", "accept_ranges": false, "retry_count": 0 },
    ]);
    let memory = left::<snake::Listing>(json!({ "sources": stored })).await;
    let expected = json!([
        { "type": "httpGet", "acceptRanges": true, "retryCount": 2 },
        { "type": "local", "basePath": "p" },
        { "type": "httpGet", "acceptRanges": false, "retryCount": 0 },
    ]);
    assert_eq!(read::<camel::Listing>(&memory).await["sources"], expected);
}

#[timed_test::test]
async fn renamed_variants_are_read_as_values_and_as_keys() {
    let stored = json!({ "modes": ["Fast", "Off"], "by_mode": { "Fast": 2, "Off": 1 } });
    let memory = left::<upper::Listing>(stored).await;
    let expected = json!({ "modes": ["fast", "off"], "by_mode": { "fast": 2, "off": 1 } });
    assert_eq!(read::<lower::Listing>(&memory).await, expected);
}

/// The state has the field and its alias: serde reads neither, and the start says so. Nothing is lost without a word.
#[timed_test::test]
async fn a_field_that_is_stored_beside_its_alias_is_refused() {
    let memory = left::<two::Listing>(json!({ "exits": 1, "new_exits": 2 })).await;
    let reason = refused::<joined::Listing>(&memory).await;
    assert!(
        reason.starts_with("it cannot be read: duplicate field `exits`"),
        "{reason}"
    );
    assert!(reason.contains("or implement `Hooks::restore`"), "{reason}");
    let server = start(on::<joined::Listing>(&memory).forget("jobs.new_exits")).await;
    assert_eq!(jobs(&server).await, json!({ "exits": 1 }));
}
