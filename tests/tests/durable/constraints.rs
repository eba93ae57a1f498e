//! The constraints of a schema on stored states.

use super::{chain, kill, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::HookError;
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::store::Memory;

/// A build of the shop whose schema has a discount with the constraint `$range`.
macro_rules! build {
    ($build:ident, max = $max:literal $(, $hooks:ident { $($hook:item)* })?) => {
        mod $build {
            use super::*;

            /// Sells.
            #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
            #[serde(default)]
            #[skill(name = "shop", version = "1.0.0", actions(Reduce) $(, $hooks)?)]
            pub struct Shop {
                #[schemars(range(max = $max))]
                pub discount: u32,
                #[schemars(inner(range(max = $max)))]
                pub earlier: Vec<u32>,
                pub sold: u32,
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
        }
    };
}

build!(loose, max = 100);
build!(strict, max = 50);
build!(
    converting,
    max = 50,
    hooks {
        fn restore(_: &str, mut state: Value) -> Result<Self, HookError> {
            state["discount"] = json!(50);
            Ok(serde_json::from_value(state)?)
        }
    }
);

fn on<G: Agent + AgentRunsWith<()>>(memory: &Memory) -> AgentServerBuilder<G> {
    AgentServer::builder(G::with_id("m-1")).store(memory.clone())
}

#[timed_test::test]
async fn a_state_that_an_action_wrote_is_restored_although_it_violates_a_constraint() {
    let memory = Memory::default();
    let server = start(on::<loose::Market>(&memory)).await;
    server.call(loose::Reduce { discount: 101 }).await.unwrap();
    kill(server).await;
    let server = start(on::<loose::Market>(&memory)).await;
    let state = server.agent().await.unwrap().state_value().unwrap();
    assert_eq!(state["shop"]["discount"], 101);
    let problems = loose::Market::validate(&state).unwrap_err();
    assert_eq!(
        problems.to_string(),
        "`shop.discount`: 101 is out of range, expected 0..=100"
    );
}

#[timed_test::test]
async fn a_stored_state_that_violates_a_new_constraint_is_refused_with_a_way_out() {
    let memory = Memory::default();
    let server = start(on::<loose::Market>(&memory)).await;
    for discount in [51, 60, 7] {
        server.call(loose::Reduce { discount }).await.unwrap();
    }
    kill(server).await;
    let refused = on::<strict::Market>(&memory).start().await.unwrap_err();
    let text = chain(&refused);
    assert!(
        text.ends_with(
            "`earlier[1]`: … is out of range, expected 0..=50; drop `shop.earlier` with \
             `AgentServer::builder(...).forget(\"shop.earlier\")`, or implement `Hooks::restore`"
        ),
        "{text}"
    );
    let server = start(on::<strict::Market>(&memory).forget("shop.earlier")).await;
    let state = server.agent().await.unwrap().state_value().unwrap();
    assert_eq!(
        state["shop"],
        json!({ "discount": 7, "earlier": [], "sold": 3 })
    );
}

#[timed_test::test]
async fn the_hook_restore_can_convert_a_state_that_violates_a_new_constraint() {
    let memory = Memory::default();
    let server = start(on::<loose::Market>(&memory)).await;
    server.call(loose::Reduce { discount: 80 }).await.unwrap();
    kill(server).await;
    let server = start(on::<converting::Market>(&memory)).await;
    assert_eq!(server.recovery().migrated, ["shop"]);
    let state = server.agent().await.unwrap().state_value().unwrap();
    assert_eq!(state["shop"]["discount"], 50);
}
