//! Commands that follow from commands do not hold up messages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::testing::ManualClock;
use std::time::Duration;

/// Keeps itself busy.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "busy", actions(Fork, Wind, Rest))]
pub struct Busy {
    pub turns: u64,
    pub rests: bool,
}

/// Queue two more runs of this action, until `rest` is called.
#[action(internal, on("busy.fork"))]
pub fn fork(busy: &mut Busy, cx: &mut Context<Busy>) {
    busy.turns += 1;
    if !busy.rests {
        cx.run(Instruction::new("fork", json!({})));
        cx.run(Instruction::new("fork", json!({})));
    }
}

/// Schedule this action again without delay, until `rest` is called.
#[action(internal, on("busy.wind"))]
pub fn wind(busy: &mut Busy, cx: &mut Context<Busy>) {
    busy.turns += 1;
    if !busy.rests {
        cx.schedule(Duration::ZERO, Signal::new("busy.wind", json!({})));
    }
}

/// Stop.
#[action]
pub fn rest(busy: &mut Busy) {
    busy.rests = true;
}

agent! {
    #[derive(Debug)]
    pub struct Restless {
        name: "restless",
        skills: [Busy],
    }
}

/// The call is answered: there would be four thousand million turns before it otherwise, or no end at all.
async fn comes_to_rest(ty: &'static str) {
    let clock = ManualClock::new();
    let builder = AgentServer::builder(Restless::new()).clock(clock);
    let server = builder.start().await.unwrap();
    server.send(Signal::new(ty, json!({}))).await.unwrap();
    while server.agent().await.unwrap().state().busy.turns < 1_000 {}
    server.call(Rest {}).await.unwrap();
    server.stop().await.unwrap();
}

#[tokio::test]
async fn commands_that_lead_to_ever_more_commands_give_way_to_messages() {
    comes_to_rest("busy.fork").await;
}

#[tokio::test]
async fn a_signal_that_schedules_the_next_without_delay_gives_way_to_messages() {
    comes_to_rest("busy.wind").await;
}
