//! An agent with two instances of a counter, which most tests of the server use.

use super::door;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Add, Draw, Burst, Pass, Wipe, Tell))]
pub struct Counter {
    pub count: i64,
}

/// Add to the counter.
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

/// Take from the counter what it has; fails when it has too little, and has taken it by then.
#[action(on("counter.draw"))]
pub fn draw(counter: &mut Counter, by: i64) -> Result<i64, Missing> {
    counter.count -= by;
    match counter.count {
        0.. => Ok(counter.count),
        below => Err(Missing { missing: -below }),
    }
}

/// Change something and panic.
#[action(on("counter.burst"))]
pub fn burst(counter: &mut Counter) -> i64 {
    counter.count += 1000;
    panic!("the counter burst at {}", counter.count)
}

/// Count one, and go through a door.
#[action(on("counter.pass"))]
pub fn pass(counter: &mut Counter, door: String) -> i64 {
    counter.count += 1;
    door::pass(&door);
    counter.count
}

/// Reset the count.
#[action(destructive, on("counter.wipe"))]
pub fn wipe(counter: &mut Counter) -> i64 {
    std::mem::take(&mut counter.count)
}

/// Emit the count.
#[action(on("counter.tell"))]
pub fn tell(counter: &Counter, cx: &mut Context<Counter>, #[arg(default = 1)] times: u32) {
    for _ in 0..times {
        cx.emit(Signal::new("counter.told", json!(counter.count)));
    }
}

agent! {
    /// Counts twice.
    #[derive(Debug, PartialEq)]
    pub struct Clerk {
        name: "clerk",
        skills: [Counter, Counter as visits],
    }
}

/// A server with the defaults.
pub async fn clerk() -> AgentServer<Clerk> {
    AgentServer::builder(Clerk::new()).start().await.unwrap()
}

/// What the first counter stands at.
pub async fn count(server: &AgentServer<Clerk>) -> i64 {
    server.agent().await.unwrap().state().counter.count
}
