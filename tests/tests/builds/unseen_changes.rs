//! Values that a store cannot hold, and that no comparison shows.

use super::{kill, start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::store::Memory;

/// An amount in cents, which is written in whole euros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "u32", into = "u32")]
#[schemars(with = "u32")]
pub struct Cents(u32);

impl From<u32> for Cents {
    fn from(euros: u32) -> Self {
        Self(euros * 100)
    }
}

impl From<Cents> for u32 {
    fn from(cents: Cents) -> Self {
        cents.0 / 100
    }
}

/// A note.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Note {
    text: Option<Option<u8>>,
}

/// Has values that it loses.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "purse", actions(Fill))]
pub struct Purse {
    pub is_open: Option<()>,
    pub note: Note,
    pub cents: Cents,
}

/// Fill the purse.
#[action]
pub fn fill(purse: &mut Purse) {
    purse.is_open = Some(());
    purse.note.text = Some(None);
    purse.cents = Cents(150);
}

agent! {
    /// Has a purse.
    pub struct Shopper {
        name: "shopper",
        skills: [Purse],
    }
}

fn on(memory: &Memory) -> AgentServerBuilder<Shopper> {
    AgentServer::builder(Shopper::with_id("s-1")).store(memory.clone())
}

/// The guide lists these values.
#[timed_test::test]
async fn a_value_that_is_not_serialized_changes_at_the_next_start() {
    let memory = Memory::default();
    let server = start(on(&memory)).await;
    server.call(Fill {}).await.unwrap();
    let agent = server.agent().await.unwrap();
    let purse = &agent.state().purse;
    assert_eq!(
        (purse.is_open, purse.note.text, purse.cents),
        (Some(()), Some(None), Cents(150))
    );
    kill(server).await;
    let server = start(on(&memory)).await;
    let agent = server.agent().await.unwrap();
    let purse = &agent.state().purse;
    assert_eq!(
        (purse.is_open, purse.note.text, purse.cents),
        (None, None, Cents(100))
    );
}
