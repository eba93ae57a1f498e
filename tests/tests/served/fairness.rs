//! Commands that result from other commands do not delay messages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::testing::ManualClock;
use std::time::Duration;

/// Has actions that queue themselves again.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "busy", actions(Fork, Reschedule, Rest))]
pub struct Busy {
    pub turns: u64,
    pub rests: bool,
}

/// Queue two runs of itself, unless stopped.
#[action(internal, on("busy.fork"))]
pub fn fork(busy: &mut Busy, cx: &mut Context<Busy>) {
    busy.turns += 1;
    if !busy.rests {
        cx.run(Instruction::new("fork", json!({})));
        cx.run(Instruction::new("fork", json!({})));
    }
}

/// Schedule itself without delay, unless stopped.
#[action(internal, on("busy.reschedule"))]
pub fn reschedule(busy: &mut Busy, cx: &mut Context<Busy>) {
    busy.turns += 1;
    if !busy.rests {
        cx.schedule(Duration::ZERO, Signal::new("busy.reschedule", json!({})));
    }
}

/// Stop the repetition.
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

/// Much more time than the calls need.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Starts the repetition and asserts that a call is answered. Without fairness it would wait for about four billion
/// commands, or forever.
async fn assert_calls_are_answered(ty: &'static str) {
    let clock = ManualClock::new();
    let builder = AgentServer::builder(Restless::new()).clock(clock);
    let server = builder.start().await.unwrap();
    server.send(Signal::new(ty, json!({}))).await.unwrap();
    let calls = async {
        while server.agent().await.unwrap().state().busy.turns < 1_000 {}
        server.call(Rest {}).await.unwrap();
    };
    tokio::time::timeout(TIME_LIMIT, calls)
        .await
        .expect("the calls are answered in time");
    server.stop().await.unwrap();
}

#[tokio::test]
async fn runs_that_multiply_do_not_delay_messages() {
    assert_calls_are_answered("busy.fork").await;
}

#[tokio::test]
async fn a_signal_that_schedules_itself_without_delay_does_not_delay_messages() {
    assert_calls_are_answered("busy.reschedule").await;
}
