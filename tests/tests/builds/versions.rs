//! A stored state of an incompatible version with the present schema.

use super::{chain, kill, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::HookError;
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::store::Memory;

/// A build with one version of the skill, which lists it and may mount it.
macro_rules! build {
    ($build:ident $(at $version:literal)? $(, $hooks:ident { $($hook:item)* })?) => {
        mod $build {
            use super::*;

            /// Has a limit.
            #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
            #[serde(default)]
            #[skill(name = "gate", $(version = $version,)? actions(SetLimit) $(, $hooks)?)]
            pub struct Gate {
                pub limit: u32,
            }

            /// Set the limit.
            #[action]
            pub fn set_limit(gate: &mut Gate, limit: u32) {
                gate.limit = limit;
            }

            $(impl Hooks for Gate {
                $($hook)*
            })?

            agent! {
                /// Lists the gate.
                pub struct Garden {
                    name: "garden",
                    skills: [Gate],
                }
            }

            agent! {
                /// Mounts the gate.
                pub struct Yard {
                    name: "yard",
                    mounted: [Gate],
                }
            }
        }
    };
}

build!(unversioned);
build!(in_metres at "1.0.0");
build!(patched at "1.4.2");
build!(without_hook at "2.0.0");
build!(
    in_millimetres at "2.0.0",
    hooks {
        fn restore(version: &str, mut state: Value) -> Result<Self, HookError> {
            match version {
                "" | "1.0.0" => state["limit"] = json!(state["limit"].as_u64().unwrap() * 1_000),
                _ => return Err(HookError::new("the unit is unknown")),
            }
            Ok(serde_json::from_value(state)?)
        }
    }
);

build!(
    compatible at "1.5.0",
    hooks {
        fn restore(_: &str, _: Value) -> Result<Self, HookError> {
            Err(HookError::new("a compatible version is not converted"))
        }
    }
);

fn on<G: Agent + AgentRunsWith<()>>(memory: &Memory) -> AgentServerBuilder<G> {
    AgentServer::builder(G::with_id("g-1")).store(memory.clone())
}

/// Starts a build, mounts the gate if the agent does not list it, and sets the limit.
async fn set_limit<G: Agent + AgentRunsWith<()>>(memory: &Memory) {
    let server = start(on::<G>(memory)).await;
    if G::tools().is_empty() {
        server.mount("gate", json!({})).await.unwrap();
    }
    server
        .call_json("set_limit", r#"{"limit":5}"#)
        .await
        .unwrap();
    kill(server).await;
}

/// The limit, listed or mounted.
async fn limit<G: Agent>(server: &AgentServer<G>) -> Value {
    let state = server.agent().await.unwrap().state_value().unwrap();
    let gate = state.get("gate").unwrap_or(&state["skills"]["gate"]);
    gate["limit"].clone()
}

async fn check_restored<Old, New>(earlier: &str)
where
    Old: Agent + AgentRunsWith<()>,
    New: Agent + AgentRunsWith<()>,
{
    let memory = Memory::default();
    set_limit::<Old>(&memory).await;
    let server = start(on::<New>(&memory)).await;
    assert_eq!(server.recovery().migrated, ["gate"], "{earlier}");
    assert_eq!(server.recovery().other_version, [""; 0], "{earlier}");
    assert_eq!(limit(&server).await, 5_000, "{earlier}");
    kill(server).await;
    // The state is converted once.
    let server = start(on::<New>(&memory)).await;
    assert_eq!(server.recovery().migrated, [""; 0], "{earlier}");
    assert_eq!(limit(&server).await, 5_000, "{earlier}");
}

#[timed_test::test]
async fn restore_is_asked_for_an_incompatible_version_with_the_present_schema() {
    check_restored::<in_metres::Garden, in_millimetres::Garden>("1.0.0, listed").await;
    check_restored::<in_metres::Yard, in_millimetres::Yard>("1.0.0, mounted").await;
    check_restored::<unversioned::Garden, in_millimetres::Garden>("none, listed").await;
    check_restored::<unversioned::Yard, in_millimetres::Yard>("none, mounted").await;
}

#[timed_test::test]
async fn a_hook_that_refuses_an_incompatible_version_stops_the_start() {
    let memory = Memory::default();
    set_limit::<patched::Garden>(&memory).await;
    let error = on::<in_millimetres::Garden>(&memory).start().await;
    assert_eq!(
        chain(&error.unwrap_err()),
        "the stored state of `g-1` cannot be restored: `Hooks::restore` of `gate` refused the state of version 1.4.2, which \
         `AgentServer::builder(...).forget(\"gate\")` drops: the unit is unknown"
    );
}

async fn check_taken<Old, New>(is_named: bool)
where
    Old: Agent + AgentRunsWith<()>,
    New: Agent + AgentRunsWith<()>,
{
    let memory = Memory::default();
    set_limit::<Old>(&memory).await;
    let server = start(on::<New>(&memory)).await;
    let recovery = server.recovery();
    let named: &[&str] = if is_named { &["gate"] } else { &[] };
    assert_eq!(recovery.other_version, named);
    assert!(recovery.migrated.is_empty() && recovery.other_schema.is_empty());
    assert_eq!(limit(&server).await, 5);
}

#[timed_test::test]
async fn an_incompatible_version_without_the_hook_is_taken_and_named() {
    check_taken::<in_metres::Garden, without_hook::Garden>(true).await;
    check_taken::<in_metres::Yard, without_hook::Yard>(true).await;
    check_taken::<in_metres::Garden, patched::Garden>(false).await;
    check_taken::<in_metres::Yard, patched::Yard>(false).await;
}

#[timed_test::test]
async fn a_compatible_version_with_the_hook_is_taken_without_it() {
    check_taken::<in_metres::Garden, compatible::Garden>(false).await;
    check_taken::<in_metres::Yard, compatible::Yard>(false).await;
}
