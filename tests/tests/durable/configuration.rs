//! Fields that begin with a value of the configuration, under another configuration.

use super::{kill, start};
use crate::recorded_traces::Traces;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use std::collections::HashSet;

/// The configuration of a ticket office.
#[derive(SkillConfig, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OfficeConfig {
    #[skill(default = 40)]
    pub seats: u32,
    #[skill(default = 5)]
    pub price: u32,
    #[skill(default = "big".to_owned())]
    pub hall: String,
    #[skill(default = "first key".to_owned(), secret)]
    pub key: String,
    #[skill(default)]
    pub rows: HashSet<u32>,
}

/// Sells tickets.
#[derive(Skill, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "office", config = OfficeConfig, actions(Sell, Move))]
pub struct Office {
    #[skill(from_config)]
    pub seats: u32,
    #[skill(from_config)]
    #[serde(rename = "unitPrice")]
    pub price: u32,
    #[skill(from_config, always)]
    pub hall: String,
    #[skill(from_config, secret)]
    pub key: String,
    #[skill(from_config)]
    pub rows: HashSet<u32>,
    #[skill(default)]
    pub sold: u32,
}

/// Sell a ticket.
#[action]
pub fn sell(office: &mut Office) {
    office.seats -= 1;
    office.sold += 1;
}

/// Move to another hall.
#[action(name = "move_to")]
pub fn r#move(office: &mut Office, hall: String) {
    office.hall = hall;
}

agent! {
    /// Has two ticket offices.
    pub struct Theater {
        name: "theater",
        skills: [Office, Office as matinee { seats: 12 }],
    }
}

/// Starts a server in which both offices have a configuration.
async fn theater(
    store: &Memory,
    office: OfficeConfig,
    matinee: OfficeConfig,
) -> AgentServer<Theater> {
    let agent = Theater::builder()
        .id("theater-1")
        .config::<Office>(office)
        .instance_config(Theater::matinee, matinee)
        .build()
        .unwrap();
    start(AgentServer::builder(agent).store(store.clone())).await
}

async fn states(server: &AgentServer<Theater>) -> (Office, Office) {
    let agent = server.agent().await.unwrap();
    (agent.state().office.clone(), agent.state().matinee.clone())
}

/// The instances and fields in the warnings.
fn kept(traces: &Traces) -> Vec<String> {
    let warnings = traces.take_warnings("field").into_iter();
    let of = |text: &str, name: &str| {
        let (_, rest) = text.split_once(name).unwrap();
        rest.split(' ').next().unwrap().trim_matches('"').to_owned()
    };
    warnings
        .map(|text| format!("{}.{}", of(&text, "skill="), of(&text, "field=")))
        .collect()
}

#[timed_test::test]
async fn a_field_with_always_takes_the_new_configuration_and_the_others_are_kept_with_a_warning() {
    let (memory, traces) = (Memory::default(), Traces::record());
    let first = OfficeConfig::default;
    let server = theater(&memory, first(), first()).await;
    server.call(Sell {}).await.unwrap();
    kill(server).await;
    assert_eq!(kept(&traces), [""; 0]);

    let other = OfficeConfig {
        seats: 100,
        price: 9,
        hall: "small".to_owned(),
        key: "second key".to_owned(),
        ..first()
    };
    let server = theater(&memory, other.clone(), first()).await;
    let text = traces.text();
    assert!(!text.contains("first key") && !text.contains("second key"));
    assert!(text.contains("the configuration is not the one that was stored"));
    let kept_fields = ["office.seats", "office.unitPrice", "office.key"];
    assert_eq!(kept(&traces), kept_fields);
    assert_eq!(server.recovery().other_configuration, ["office"]);
    let (office, matinee) = states(&server).await;
    assert_eq!((office.seats, office.price, office.sold), (39, 5, 1));
    assert_eq!((&*office.hall, &*office.key), ("small", "first key"));
    assert_eq!((&*matinee.hall, matinee.seats), ("big", 40));
    // the changes of the new server are stored
    server.call(Sell {}).await.unwrap();
    kill(server).await;

    let server = theater(&memory, first(), other).await;
    let kept_fields = ["matinee.seats", "matinee.unitPrice", "matinee.key"];
    assert_eq!(kept(&traces), kept_fields);
    let (office, matinee) = states(&server).await;
    assert_eq!((&*office.hall, office.sold), ("big", 2));
    assert_eq!((&*matinee.hall, matinee.seats), ("small", 40));
    server.stop().await.unwrap();
}

#[timed_test::test]
async fn only_a_field_with_another_value_in_the_configuration_is_warned_of() {
    let (memory, traces) = (Memory::default(), Traces::record());
    let first = OfficeConfig::default;
    let server = theater(&memory, first(), first()).await;
    server.call(Sell {}).await.unwrap();
    kill(server).await;
    // the number of seats is another one too, and not because of the configuration
    let other = OfficeConfig {
        price: 6,
        ..first()
    };
    let server = theater(&memory, other, first()).await;
    assert_eq!(kept(&traces), ["office.unitPrice"]);
    kill(server).await;
    // the value that is stored happens to be the new one
    let other = OfficeConfig {
        seats: 39,
        ..first()
    };
    let server = theater(&memory, other.clone(), first()).await;
    assert_eq!(kept(&traces), [""; 0]);
    assert_eq!(server.recovery().other_configuration, ["office"]);
    server.stop().await.unwrap();
    // the snapshot of the stop has the new configuration
    let server = theater(&memory, other, first()).await;
    assert_eq!(server.recovery().other_configuration, [""; 0]);
    server.stop().await.unwrap();
}

#[timed_test::test]
async fn a_set_in_another_order_is_no_other_value() {
    let (memory, traces) = (Memory::default(), Traces::record());
    let with_rows = |price| OfficeConfig {
        price,
        rows: (0..50).collect(),
        ..OfficeConfig::default()
    };
    let server = theater(&memory, with_rows(5), with_rows(5)).await;
    kill(server).await;
    let server = theater(&memory, with_rows(6), with_rows(5)).await;
    assert_eq!(kept(&traces), ["office.unitPrice"]);
    server.stop().await.unwrap();
}

#[timed_test::test]
async fn a_change_of_a_field_with_always_lasts_until_the_next_start() {
    let (memory, traces) = (Memory::default(), Traces::record());
    let first = OfficeConfig::default;
    let server = theater(&memory, first(), first()).await;
    let hall = "garden".to_owned();
    server.call(Move { hall }).await.unwrap();
    assert_eq!(states(&server).await.0.hall, "garden");
    kill(server).await;
    let server = theater(&memory, first(), first()).await;
    assert_eq!(states(&server).await.0.hall, "big");
    assert!(server.recovery().other_configuration.is_empty());
    assert_eq!(kept(&traces), [""; 0]);
    server.stop().await.unwrap();
}

/// A build of an agent that mounts a lamp, with a configuration of its own.
macro_rules! build {
    ($build:ident, $shine:literal, { $($option:ident: $ty:ty,)* }) => {
        mod $build {
            use super::*;

            /// The configuration of a lamp.
            #[derive(SkillConfig, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
            #[serde(default)]
            pub struct LampConfig {
                #[skill(default = $shine)]
                pub shine: u32,
                #[skill(default = $shine)]
                pub glow: u32,
                $(#[skill(default)] pub $option: $ty,)*
            }

            /// Shines.
            #[derive(Skill, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
            #[serde(default)]
            #[skill(name = "lamp", config = LampConfig, actions(Dim))]
            pub struct Lamp {
                #[skill(from_config)]
                pub shine: u32,
                #[skill(from_config, always)]
                pub glow: u32,
            }

            /// Dim the glow.
            #[action]
            pub fn dim(lamp: &mut Lamp) -> u32 {
                lamp.glow -= 1;
                lamp.glow
            }

            agent! {
                /// Mounts a lamp.
                pub struct Desk {
                    name: "desk",
                    mounted: [Lamp],
                }
            }

            pub async fn desk(store: &Memory) -> AgentServer<Desk> {
                start(AgentServer::builder(Desk::with_id("desk-1")).store(store.clone())).await
            }

            pub async fn lamp(server: &AgentServer<Desk>) -> (u32, u32) {
                let agent = server.agent().await.unwrap();
                let lamp = agent.mounted().state::<Lamp>().unwrap();
                (lamp.shine, lamp.glow)
            }
        }
    };
}

build!(old, 3, { colour: String, });
build!(new, 7, {});

#[timed_test::test]
async fn a_field_with_always_of_a_mounted_skill_takes_the_configuration_of_the_new_build() {
    let (memory, traces) = (Memory::default(), Traces::record());
    let server = old::desk(&memory).await;
    server.mount("lamp", json!({})).await.unwrap();
    assert_eq!(server.call_json("dim", "{}").await.unwrap(), "2");
    assert_eq!(old::lamp(&server).await, (3, 2));
    kill(server).await;
    let server = new::desk(&memory).await;
    assert_eq!(new::lamp(&server).await, (3, 7));
    assert_eq!(server.call_json("dim", "{}").await.unwrap(), "6");
    // which default the old build had is not stored
    assert_eq!(kept(&traces), [""; 0]);
    server.stop().await.unwrap();
}

#[timed_test::test]
async fn a_mounted_skill_whose_options_are_refused_keeps_its_fields_with_a_warning() {
    let (memory, traces) = (Memory::default(), Traces::record());
    let server = old::desk(&memory).await;
    let options = json!({ "shine": 4, "glow": 4, "colour": "red" });
    server.mount("lamp", options).await.unwrap();
    kill(server).await;
    let server = new::desk(&memory).await;
    assert_eq!(server.recovery().other_configuration, ["lamp"]);
    assert_eq!(new::lamp(&server).await, (4, 7));
    assert_eq!(kept(&traces), ["lamp.shine"]);
    server.stop().await.unwrap();
}
