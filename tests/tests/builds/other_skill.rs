//! Another skill under the state key of a stored one.

use super::{chain, kill, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::StartError;
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use skill_agent::server::{AgentServerBuilder, RecoveryError};
use skill_agent::store::Memory;

/// Skills with one field, each in a module of its own: a name, and perhaps a state key.
macro_rules! skills {
    ($($module:ident::$skill:ident: $name:literal $(under $key:literal)?;)*) => {
        $(mod $module {
            use super::*;

            /// Counts.
            #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
            #[serde(default)]
            #[skill(name = $name $(, state_key = $key)?)]
            pub struct $skill {
                pub count: u32,
            }
        })*
    };
}

skills! {
    visits::Visits: "visits";
    tally::Tally: "tally" under "visits";
    sales::Sales: "sales";
    visits_as_sales::MovedVisits: "visits" under "sales";
    sales_as_visits::MovedSales: "sales" under "visits";
}

macro_rules! agents {
    ($($agent:ident: [$($skills:tt)*];)*) => {
        $(agent! {
            /// Counts.
            pub struct $agent {
                name: "shop",
                skills: [$($skills)*],
            }
        })*
    };
}

agents! {
    Visits: [visits::Visits];
    Tally: [tally::Tally];
    SalesAsVisits: [sales::Sales as visits];
    VisitsAsMain: [visits::Visits as main];
    TwoVisits: [visits::Visits as first, visits::Visits as second];
    MovedOnly: [visits_as_sales::MovedVisits];
    SalesAsMain: [sales::Sales as main];
    Both: [visits::Visits, sales::Sales];
    Swapped: [sales_as_visits::MovedSales, visits_as_sales::MovedVisits];
}

fn on<G: Agent + AgentRunsWith<()>>(memory: &Memory) -> AgentServerBuilder<G> {
    AgentServer::builder(G::with_id("shop-1")).store(memory.clone())
}

/// Sets counts in a state, and kills the server.
async fn leave<G: Agent + AgentRunsWith<()>>(memory: &Memory, state: serde_json::Value) {
    let server = start(on::<G>(memory)).await;
    server.set(state).await.unwrap();
    kill(server).await;
}

async fn refused<G: Agent + AgentRunsWith<()>>(memory: &Memory) -> String {
    let error = on::<G>(memory).start().await.unwrap_err();
    let is_expected = matches!(
        &error,
        StartError::Recovery {
            source: RecoveryError::OtherSkill { .. },
            ..
        }
    );
    assert!(is_expected, "{error:?}");
    chain(&error)
}

async fn state<G: Agent>(server: &AgentServer<G>) -> serde_json::Value {
    server.agent().await.unwrap().state_value().unwrap()
}

#[timed_test::test]
async fn another_skill_under_a_state_key_is_refused_until_it_adopts_the_state() {
    let memory = Memory::default();
    leave::<Visits>(&memory, serde_json::json!({ "visits": { "count": 7 } })).await;
    assert_eq!(
        refused::<Tally>(&memory).await,
        "the stored state of `shop-1` cannot be restored: the stored state under `visits` is that of the skill `visits`, and `visits` is \
         the state key of the skill `tally` now; take it over with `AgentServer::builder(...).adopt_skill(\"visits\", \"visits\")`, or \
         drop it with `.forget(\"visits\")`"
    );
    let server = start(on::<Visits>(&memory)).await;
    assert_eq!(state(&server).await["visits"]["count"], 7, "unchanged");
    kill(server).await;
    let server = start(on::<Tally>(&memory).adopt_skill("visits", "visits")).await;
    assert_eq!(state(&server).await["visits"]["count"], 7);
    kill(server).await;
    // It is the state of the tally from here on.
    let server = start(on::<Tally>(&memory)).await;
    assert_eq!(state(&server).await["visits"]["count"], 7);
    kill(server).await;
    refused::<Visits>(&memory).await;
    let server = start(on::<Visits>(&memory).forget("visits")).await;
    assert_eq!(state(&server).await["visits"]["count"], 0);
    assert_eq!(server.recovery().forgotten, ["visits"]);
}

#[timed_test::test]
async fn an_alias_that_is_the_state_key_of_another_skill_is_refused() {
    let memory = Memory::default();
    leave::<Visits>(&memory, serde_json::json!({ "visits": { "count": 7 } })).await;
    assert!(
        refused::<SalesAsVisits>(&memory)
            .await
            .contains("of the skill `sales` now")
    );
    let memory = Memory::default();
    leave::<VisitsAsMain>(&memory, serde_json::json!({ "main": { "count": 7 } })).await;
    assert!(
        refused::<SalesAsMain>(&memory)
            .await
            .contains("that of the skill `visits`")
    );
    let server = start(on::<VisitsAsMain>(&memory)).await;
    assert_eq!(state(&server).await["main"]["count"], 7);
}

#[timed_test::test]
async fn skills_that_swap_their_state_keys_keep_their_states() {
    let memory = Memory::default();
    let counts = serde_json::json!({ "visits": { "count": 7 }, "sales": { "count": 3 } });
    leave::<Both>(&memory, counts.clone()).await;
    let text = refused::<Swapped>(&memory).await;
    assert_eq!(
        text,
        "the stored state of `shop-1` cannot be restored: the stored state under `visits` is that of the skill `visits`, and `visits` is \
         the state key of the skill `sales` now; take it over with \
         `AgentServer::builder(...).adopt_skill(\"visits\", \"sales\").adopt_skill(\"sales\", \"visits\")`, or drop it with \
         `.forget(\"visits\")`"
    );
    let adopting = || {
        on::<Swapped>(&memory)
            .adopt_skill("visits", "sales")
            .adopt_skill("sales", "visits")
    };
    // The builder may say so again.
    for _ in 0..2 {
        let server = start(adopting()).await;
        let swapped = serde_json::json!({ "visits": { "count": 3 }, "sales": { "count": 7 } });
        assert_eq!(state(&server).await, swapped);
        kill(server).await;
    }
}

#[timed_test::test]
async fn two_instances_of_one_skill_are_not_swapped_in_silence() {
    let memory = Memory::default();
    let counts = serde_json::json!({ "first": { "count": 7 }, "second": { "count": 3 } });
    leave::<TwoVisits>(&memory, counts.clone()).await;
    let swapping = on::<TwoVisits>(&memory)
        .adopt_skill("first", "second")
        .adopt_skill("second", "first");
    assert_eq!(
        chain(&swapping.start().await.unwrap_err()),
        "the stored state of `shop-1` cannot be restored: `adopt_skill(\"first\", \"second\")`: `first` and `second` are instances of the \
         skill `visits`, so a start cannot see whether their states were swapped before; keep both state keys, or swap the states in an \
         action"
    );
    let server = start(on::<TwoVisits>(&memory)).await;
    assert_eq!(state(&server).await, counts, "unchanged");
}

#[timed_test::test]
async fn a_state_takes_the_key_of_a_forgotten_one() {
    let memory = Memory::default();
    let counts = serde_json::json!({ "visits": { "count": 7 }, "sales": { "count": 3 } });
    leave::<Both>(&memory, counts).await;
    // The state that is in the way is refused before the one that waits for its key.
    let adopting = || on::<MovedOnly>(&memory).adopt_skill("visits", "sales");
    let text = chain(&adopting().start().await.unwrap_err());
    assert!(
        text.contains("the stored state under `sales` is that of the skill `sales`"),
        "{text}"
    );
    assert!(text.ends_with(".forget(\"sales\")`"), "{text}");
    let server = start(adopting().forget("sales")).await;
    assert_eq!(server.recovery().forgotten, ["sales"]);
    let moved = serde_json::json!({ "sales": { "count": 7 } });
    assert_eq!(state(&server).await, moved);
    kill(server).await;
    // A program that is restarted has the same builder.
    let server = start(adopting().forget("sales")).await;
    assert_eq!(server.recovery().forgotten, [""; 0]);
    assert_eq!(state(&server).await, moved);
}
