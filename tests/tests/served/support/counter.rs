//! An agent with two instances of a counter, used by most tests of the server.

use super::gate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

/// A counter.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "counter",
    actions(Add, Subtract, Crash, WaitAtGate, Wipe, EmitCount)
)]
pub struct Counter {
    pub count: i64,
}

/// Add to the counter and return the count.
#[action(on("counter.add"))]
pub fn add(counter: &mut Counter, by: i64) -> i64 {
    counter.count += by;
    counter.count
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{missing} are missing")]
pub struct Missing {
    pub missing: i64,
}

/// Subtract from the counter. If the count becomes negative, this fails after changing it.
#[action(on("counter.subtract"))]
pub fn subtract(counter: &mut Counter, by: i64) -> Result<i64, Missing> {
    counter.count -= by;
    match counter.count {
        0.. => Ok(counter.count),
        below => Err(Missing { missing: -below }),
    }
}

/// Change the counter and panic.
#[action(on("counter.crash"))]
pub fn crash(counter: &mut Counter) -> i64 {
    counter.count += 1000;
    panic!("the counter crashed at {}", counter.count)
}

/// Count one, then wait at a gate.
#[action(on("counter.wait_at_gate"))]
pub fn wait_at_gate(counter: &mut Counter, gate: String) -> i64 {
    counter.count += 1;
    gate::wait_at(&gate);
    counter.count
}

/// Reset the counter and return the old count.
#[action(destructive, on("counter.wipe"))]
pub fn wipe(counter: &mut Counter) -> i64 {
    std::mem::take(&mut counter.count)
}

/// Emit the count.
#[action(on("counter.emit_count"))]
pub fn emit_count(counter: &Counter, cx: &mut Context<Counter>, #[arg(default = 1)] times: u32) {
    for _ in 0..times {
        cx.emit(Signal::new("counter.count", json!(counter.count)));
    }
}

agent! {
    /// Has two instances of `counter`.
    #[derive(Debug, PartialEq)]
    pub struct Clerk {
        name: "clerk",
        skills: [Counter, Counter as visits],
    }
}

/// Starts a server with default settings.
pub async fn clerk() -> AgentServer<Clerk> {
    AgentServer::builder(Clerk::new()).start().await.unwrap()
}

/// The count of the first counter.
pub async fn count(server: &AgentServer<Clerk>) -> i64 {
    server.agent().await.unwrap().state().counter.count
}
