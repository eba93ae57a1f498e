//! The constraints of a schema on stored states.

use super::recorded_traces::Traces;
use super::{kill, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::HookError;
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::store::Memory;

/// A build of the shop whose discounts are at most `$max`, perhaps with a new field or with hooks.
macro_rules! build {
    ($build:ident $($version:literal)?, max = $max:literal $(; $more:ident)? $(, $hooks:ident { $($hook:item)* })?) => {
        mod $build {
            use super::*;

            /// Sells.
            #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
            #[serde(default)]
            #[skill(name = "shop", $(version = $version,)? actions(Reduce) $(, $hooks)?)]
            pub struct Shop {
                #[schemars(range(max = $max))]
                pub discount: u32,
                #[schemars(inner(range(max = $max)))]
                pub earlier: Vec<u32>,
                pub sold: u32,
                $(pub $more: bool,)?
            }

            /// Set the discount.
            #[action]
            pub fn reduce(shop: &mut Shop, discount: u32) {
                shop.earlier.push(shop.discount);
                shop.discount = discount;
                shop.sold += 1;
            }

            $(impl Hooks for Shop {
                $($hook)*
            })?

            agent! {
                /// Sells.
                #[derive(Clone)]
                pub struct Market {
                    name: "market",
                    skills: [Shop],
                }
            }

            agent! {
                /// Has a shop.
                #[derive(Clone)]
                pub struct Street {
                    name: "street",
                    mounted: [Shop],
                }
            }
        }
    };
}

build!(loose "1.0.0", max = 100);
build!(additive "1.0.0", max = 100; is_open);
build!(strict "1.0.0", max = 50);
build!(
    converting "2.0.0",
    max = 50,
    hooks {
        fn restore(_: &str, mut state: Value) -> Result<Self, HookError> {
            state["discount"] = json!(50);
            Ok(serde_json::from_value(state)?)
        }
    }
);

build!(
    halving "1.1.0",
    max = 50,
    hooks {
        fn restore(_: &str, mut state: Value) -> Result<Self, HookError> {
            // version 0.9 needs half of the discount
            state["discount"] = json!(state["discount"].as_u64().unwrap() / 2);
            Ok(serde_json::from_value(state)?)
        }
    }
);

fn on<G: Agent + AgentRunsWith<()>>(memory: &Memory) -> AgentServerBuilder<G> {
    AgentServer::builder(G::with_id("m-1")).store(memory.clone())
}

/// Calls `Reduce` of the loose build with each discount, and kills the server.
async fn reduce(memory: &Memory, discounts: &[u32]) {
    let server = start(on::<loose::Market>(memory)).await;
    for discount in discounts {
        let discount = *discount;
        server.call(loose::Reduce { discount }).await.unwrap();
    }
    kill(server).await;
}

fn violations<G: Agent>(server: &AgentServer<G>) -> Vec<String> {
    let violations = server.recovery().violations.iter();
    violations.map(ToString::to_string).collect()
}

#[timed_test::test]
async fn a_state_that_an_action_wrote_is_restored_although_it_violates_a_constraint() {
    let memory = Memory::default();
    reduce(&memory, &[101]).await;
    let traces = Traces::record();
    let server = start(on::<loose::Market>(&memory)).await;
    let [warning] = &traces.take_warnings("problem")[..] else {
        panic!("one warning for one violation");
    };
    assert!(warning.contains("`shop.discount`"), "{warning}");
    let violation = "`shop.discount`: … is out of range, expected 0..=100";
    assert_eq!(violations(&server), [violation]);
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.state().shop.discount, 101);
    kill(server).await;
    // A build with a new field starts too, and so does the one after it.
    for _ in 0..2 {
        let server = start(on::<additive::Market>(&memory)).await;
        assert_eq!(violations(&server), [violation]);
        let shop = server.agent().await.unwrap().state().shop.clone();
        assert_eq!((shop.discount, shop.is_open), (101, false));
        kill(server).await;
    }
}

#[timed_test::test]
async fn a_stored_state_that_violates_a_new_constraint_is_taken_and_named() {
    let memory = Memory::default();
    reduce(&memory, &[51, 60, 7]).await;
    let server = start(on::<strict::Market>(&memory).trace_payloads(true)).await;
    assert_eq!(
        violations(&server),
        [
            "`shop.earlier[1]`: 51 is out of range, expected 0..=50",
            "`shop.earlier[2]`: 60 is out of range, expected 0..=50"
        ]
    );
    let state = server.agent().await.unwrap().state_value().unwrap();
    assert_eq!(
        state["shop"],
        json!({ "discount": 7, "earlier": [0, 51, 60], "sold": 3 })
    );
    // Input keeps the constraint, and may leave a present violation as it is.
    let patch = json!({ "shop": { "discount": 51 } });
    assert!(server.set(patch).await.is_err());
    server
        .set(json!({ "shop": { "discount": 50 } }))
        .await
        .unwrap();
}

#[timed_test::test]
async fn the_state_of_a_mounted_skill_that_violates_a_constraint_is_restored_and_named() {
    let memory = Memory::default();
    let server = start(on::<loose::Street>(&memory)).await;
    server.mount("shop", json!({})).await.unwrap();
    server
        .call_json("reduce", r#"{ "discount": 101 }"#)
        .await
        .unwrap();
    kill(server).await;
    let server = start(on::<additive::Street>(&memory)).await;
    assert_eq!(
        violations(&server),
        ["`skills.shop.discount`: … is out of range, expected 0..=100"]
    );
    let state = server.agent().await.unwrap().state_value().unwrap();
    assert_eq!(state["skills"]["shop"]["discount"], 101);
    assert_eq!(state["skills"]["shop"]["is_open"], false);
}

#[timed_test::test]
async fn a_state_of_a_compatible_version_that_violates_a_constraint_is_not_converted() {
    let memory = Memory::default();
    reduce(&memory, &[80]).await;
    let server = start(on::<halving::Market>(&memory)).await;
    assert_eq!(server.recovery().migrated, [""; 0]);
    assert_eq!(
        violations(&server),
        ["`shop.discount`: … is out of range, expected 0..=50"]
    );
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.state().shop.discount, 80);
}

#[timed_test::test]
async fn the_hook_restore_can_convert_a_violation_of_an_incompatible_version() {
    let memory = Memory::default();
    reduce(&memory, &[80]).await;
    let server = start(on::<converting::Market>(&memory)).await;
    assert_eq!(server.recovery().migrated, ["shop"]);
    assert_eq!(violations(&server), [""; 0]);
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.state().shop.discount, 50);
}
