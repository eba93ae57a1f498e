//! Fields and variants that a later build reads under another name by `#[serde(alias)]`.

use super::{chain, kill, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::store::Memory;
use std::collections::{BTreeMap, HashMap};

/// Builds of one agent that lists a skill, each with types of its own and the fields of its skill, and perhaps of one that mounts it.
macro_rules! builds {
    ($($build:ident $($mounting:ident)? { $($types:item)* } { $($fields:tt)* })*) => {
        $(mod $build {
            use super::*;

            $($types)*

            /// Has jobs.
            #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
            #[serde(default)]
            #[skill(name = "jobs")]
            pub struct Jobs {
                $($fields)*
            }

            agent! {
                /// Lists the skill.
                pub struct Listing {
                    name: "app",
                    skills: [Jobs],
                }
            }

            $(agent! {
                /// Mounts the skill.
                pub struct $mounting {
                    name: "app",
                    mounted: [Jobs],
                }
            })?
        })*
    };
}

mod met_by_others;
mod missing;
mod nested;
mod same_path;

builds! {
    old Mounting {
        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { sku: String, amount: u32 }

        /// A mode.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Mode { #[default] Off, Slow(u8), Fast { speed: u8 }, Idle }

        /// A tagged mode.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "kind")]
        pub enum Tagged { #[default] None, Some { size: u8 } }
    } {
        pub count: u32,
        pub lines: Vec<Line>,
        pub by_name: BTreeMap<String, Line>,
        pub modes: Vec<Mode>,
        pub tagged: Tagged,
        pub labels: HashMap<String, u32>,
        pub note: Option<String>,
    }
    renamed Mounting {
        /// A line.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { #[serde(alias = "sku")] article: String, #[serde(alias = "amount")] pieces: u32 }

        /// A mode.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Mode {
            #[default] Off,
            #[serde(alias = "Slow")] Gentle(u8),
            #[serde(alias = "Fast")] Quick { #[serde(alias = "speed")] pace: u8 },
            #[serde(alias = "Idle")] Resting,
        }

        /// A tagged mode.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "kind")]
        pub enum Tagged { #[default] None, #[serde(alias = "Some")] Sized { #[serde(alias = "size")] width: u8 } }
    } {
        #[serde(alias = "count")] pub total: u32,
        #[serde(alias = "lines", skip_serializing_if = "Vec::is_empty")] pub entries: Vec<Line>,
        #[serde(alias = "by_name")] pub index: BTreeMap<String, Line>,
        pub modes: Vec<Mode>,
        pub tagged: Tagged,
        #[serde(alias = "labels")] pub tags: HashMap<String, u32>,
        #[serde(alias = "note")] pub remark: Option<String>,
    }
    forgetful {
        /// A line without an amount.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub struct Line { #[serde(alias = "sku")] article: String }

        /// A mode.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Mode { #[default] Off, Slow(u8), Fast { speed: u8 }, Idle }

        /// A tagged mode.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "kind")]
        pub enum Tagged { #[default] None, Some { size: u8 } }
    } {
        pub count: u32,
        #[serde(alias = "lines")] pub entries: Vec<Line>,
        pub by_name: BTreeMap<String, Line>,
        pub modes: Vec<Mode>,
        pub tagged: Tagged,
        pub labels: HashMap<String, u32>,
        pub note: Option<String>,
    }
    small {} { pub count: u32, pub name: String, }
    without_alias {} { pub total: u32, pub name: String, }
    texts {} { pub count: String, pub name: String, }
    two_texts {} { pub count: String, pub name: Vec<String>, }
    catching {
        /// A state that reads every unknown mode as `Other`.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Mode { #[default] Off, #[serde(other)] Other }
    } { pub mode: Mode, }
    numbered {
        /// Another number each time.
        fn next() -> u64 {
            use std::sync::atomic::{AtomicU64, Ordering};
            static NEXT: AtomicU64 = AtomicU64::new(1);
            NEXT.fetch_add(1, Ordering::Relaxed)
        }
    } { pub name: String, #[serde(default = "next")] pub number: u64, }
    naming {
        /// A mode.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum Mode { #[default] Off, Slow }
    } { pub mode: Mode, }
}

fn on<G: Agent + AgentRunsWith<()>>(memory: &Memory) -> AgentServerBuilder<G> {
    AgentServer::builder(G::with_id("a-1")).store(memory.clone())
}

/// Mounts the skill if the agent does not list it, patches its state, and kills the server.
async fn leave<G: Agent + AgentRunsWith<()>>(memory: &Memory, patch: Value) {
    let server = start(on::<G>(memory)).await;
    let patch = if G::skills().is_empty() {
        server.mount("jobs", json!({})).await.unwrap();
        json!({ "skills": { "jobs": patch } })
    } else {
        json!({ "jobs": patch })
    };
    server.set(patch).await.unwrap();
    kill(server).await;
}

/// The state of the skill, listed or mounted.
async fn jobs<G: Agent>(server: &AgentServer<G>) -> Value {
    let state = server.agent().await.unwrap().state_value().unwrap();
    let jobs = state.get("jobs").unwrap_or(&state["skills"]["jobs"]);
    jobs.clone()
}

async fn refused<G: Agent + AgentRunsWith<()>>(memory: &Memory) -> String {
    let text = chain(&on::<G>(memory).start().await.unwrap_err());
    let (_, reason) = text.split_once("does not fit this one: ").unwrap();
    reason.to_owned()
}

/// A store with a state of a build.
async fn left<G: Agent + AgentRunsWith<()>>(stored: Value) -> Memory {
    let memory = Memory::default();
    leave::<G>(&memory, stored).await;
    memory
}

/// The state of the skill in another build.
async fn read<G: Agent + AgentRunsWith<()>>(memory: &Memory) -> Value {
    let server = start(on::<G>(memory)).await;
    assert_eq!(server.recovery().other_schema, ["jobs"]);
    let state = jobs(&server).await;
    kill(server).await;
    state
}

async fn check_read<Old, New>(stored: Value, read: &Value)
where
    Old: Agent + AgentRunsWith<()>,
    New: Agent + AgentRunsWith<()>,
{
    let memory = Memory::default();
    leave::<Old>(&memory, stored.clone()).await;
    let server = start(on::<New>(&memory)).await;
    assert_eq!(server.recovery().other_schema, ["jobs"], "{stored}");
    assert_eq!(jobs(&server).await, *read, "{stored}");
    kill(server).await;
    // The record has the present names.
    let server = start(on::<New>(&memory)).await;
    assert!(server.recovery().other_schema.is_empty(), "{stored}");
    assert_eq!(jobs(&server).await, *read, "{stored}");
}

#[timed_test::test]
async fn renamed_fields_and_variants_are_read_by_their_aliases() {
    let line = |sku: &str| json!({ "sku": sku, "amount": 2 });
    let stored = json!({
        "count": 2,
        "lines": [line("ink"), line("pen"), line("ink")],
        "by_name": { "a": line("ink"), "b": line("pen") },
        "modes": [{ "Slow": 1 }, "Off", { "Fast": { "speed": 2 } }, "Idle", "Idle"],
        "tagged": { "kind": "Some", "size": 3 },
        "labels": { "x": 1, "y": 2, "z": 3 },
        "note": "new",
    });
    let line = |article: &str| json!({ "article": article, "pieces": 2 });
    let read = json!({
        "total": 2,
        "entries": [line("ink"), line("pen"), line("ink")],
        "index": { "a": line("ink"), "b": line("pen") },
        "modes": [{ "Gentle": 1 }, "Off", { "Quick": { "pace": 2 } }, "Resting", "Resting"],
        "tagged": { "kind": "Sized", "width": 3 },
        "tags": { "x": 1, "y": 2, "z": 3 },
        "remark": "new",
    });
    check_read::<old::Listing, renamed::Listing>(stored.clone(), &read).await;
    check_read::<old::Mounting, renamed::Mounting>(stored, &read).await;
}

#[timed_test::test]
async fn renamed_fields_with_their_defaults_are_read_too() {
    let read = json!({
        "total": 0,
        "index": {},
        "modes": [],
        "tagged": { "kind": "None" },
        "tags": {},
        "remark": null,
    });
    check_read::<old::Listing, renamed::Listing>(json!({}), &read).await;
    check_read::<old::Mounting, renamed::Mounting>(json!({}), &read).await;
}

#[timed_test::test]
async fn many_renamed_items_are_read_in_time() {
    let line = |index: u32| json!({ "sku": format!("s{index}"), "amount": index });
    let lines: Vec<Value> = (0..5_000).map(line).collect();
    let memory = Memory::default();
    leave::<old::Listing>(&memory, json!({ "lines": lines })).await;
    let server = start(on::<renamed::Listing>(&memory)).await;
    let entries = jobs(&server).await["entries"].clone();
    assert_eq!(
        entries[4_999],
        json!({ "article": "s4999", "pieces": 4_999 })
    );
}

#[timed_test::test]
async fn a_field_that_is_gone_within_a_renamed_one_is_not_lost() {
    let memory = Memory::default();
    let lines = json!([{ "sku": "ink", "amount": 2 }]);
    leave::<old::Listing>(&memory, json!({ "lines": lines })).await;
    assert_eq!(
        refused::<forgetful::Listing>(&memory).await,
        "`lines.0.amount` is stored and not read; drop `jobs.lines` with `AgentServer::builder(...).forget(\"jobs.lines\")`, or implement \
         `Hooks::restore`"
    );
}

#[timed_test::test]
async fn a_field_without_its_alias_is_refused_with_the_alias_as_the_first_cure() {
    let memory = Memory::default();
    leave::<small::Listing>(&memory, json!({ "count": 7, "name": "ink" })).await;
    assert_eq!(
        refused::<without_alias::Listing>(&memory).await,
        "`count` is stored and not read; read it under its new name with `#[serde(alias = \"count\")]`, drop it with \
         `AgentServer::builder(...).forget(\"jobs.count\")`, or implement `Hooks::restore`"
    );
}

#[timed_test::test]
async fn a_misspelled_field_to_forget_is_named() {
    let memory = Memory::default();
    leave::<small::Listing>(&memory, json!({ "count": 7, "name": "ink" })).await;
    let builder = on::<without_alias::Listing>(&memory).forget("jobs.cuont");
    let reason = chain(&builder.start().await.unwrap_err());
    let end =
        "or implement `Hooks::restore`; `forget(\"jobs.cuont\")` names nothing that is stored";
    assert!(reason.ends_with(end), "{reason}");
}

#[timed_test::test]
async fn an_unreadable_field_is_dropped_without_the_rest_of_the_state() {
    let memory = Memory::default();
    leave::<small::Listing>(&memory, json!({ "count": 7, "name": "ink" })).await;
    let reason = refused::<texts::Listing>(&memory).await;
    let cure = "drop `jobs.count` with `AgentServer::builder(...).forget(\"jobs.count\")`, or implement `Hooks::restore`";
    assert!(reason.ends_with(cure), "{reason}");
    let server = start(on::<texts::Listing>(&memory).forget("jobs.count")).await;
    assert_eq!(jobs(&server).await, json!({ "count": "", "name": "ink" }));

    let memory = Memory::default();
    leave::<small::Listing>(&memory, json!({ "count": 7, "name": "ink" })).await;
    let reason = refused::<two_texts::Listing>(&memory).await;
    assert!(reason.contains("forget(\"jobs.count\")"), "{reason}");
}

#[timed_test::test]
async fn a_variant_that_only_a_catch_all_reads_is_refused() {
    let memory = Memory::default();
    leave::<naming::Listing>(&memory, json!({ "mode": "Slow" })).await;
    let reason = refused::<catching::Listing>(&memory).await;
    assert!(
        reason.starts_with("`mode` is read with another value"),
        "{reason}"
    );
}

#[timed_test::test]
async fn a_default_that_changes_with_each_reading_hides_no_loss() {
    let memory = Memory::default();
    leave::<small::Listing>(&memory, json!({ "count": 7, "name": "ink" })).await;
    let reason = refused::<numbered::Listing>(&memory).await;
    assert!(
        reason.starts_with("`count` is stored and not read"),
        "{reason}"
    );
}
