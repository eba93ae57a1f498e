//! A skill with an action for each kind of directive.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use std::time::Duration;

/// Has an action for each kind of directive, and records its calls in `rung`.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "bell",
    actions(
        Ring, RingLater, CancelRing, Repeat, Echo, StopAgent, SpawnChild, RunAction, Weigh,
        QueueNan, Reply
    )
)]
pub struct Bell {
    pub rung: Vec<String>,
}

/// Record a name, and emit `bell.rung`.
#[action(on("bell.ring"))]
pub fn ring(bell: &mut Bell, cx: &mut Context<Bell>, name: String) {
    cx.emit(Signal::new("bell.rung", json!(name)));
    bell.rung.push(name);
}

/// Schedule `bell.ring`.
#[action(on("bell.both", priority = 1))]
pub fn ring_later(
    _: &Bell,
    cx: &mut Context<Bell>,
    seconds: u64,
    name: String,
    #[arg(default)] key: Option<String>,
) {
    let after = Duration::from_secs(seconds);
    let signal = Signal::new("bell.ring", json!({ "name": name }));
    match key {
        Some(key) => cx.schedule_as(&key, after, signal),
        None => cx.schedule(after, signal),
    }
}

/// Cancel a scheduled `bell.ring`.
#[action]
pub fn cancel_ring(_: &Bell, cx: &mut Context<Bell>, key: String) {
    cx.cancel(&key);
}

/// Queue a run of this action, `left` times.
#[action]
pub fn repeat(bell: &mut Bell, cx: &mut Context<Bell>, left: u32) {
    bell.rung.push(left.to_string());
    cx.emit(Signal::new("bell.repeated", json!(left)));
    if left > 0 {
        cx.run(Instruction::new("repeat", json!({ "left": left - 1 })));
    }
}

/// Emit the signal that routes to this action, `left` times. It arrives only with loopback.
#[action(on("bell.echo"))]
pub fn echo(bell: &mut Bell, cx: &mut Context<Bell>, left: u32) {
    bell.rung.push(left.to_string());
    if left > 0 {
        cx.emit(Signal::new("bell.echo", json!({ "left": left - 1 })));
    }
}

/// Stop the agent.
#[action(on("bell.both"))]
pub fn stop_agent(_: &Bell, cx: &mut Context<Bell>, reason: String) {
    cx.stop(reason);
}

/// Start a child.
#[action]
pub fn spawn_child(_: &Bell, cx: &mut Context<Bell>, child: String, #[arg(default)] name: String) {
    cx.spawn(child, json!({ "name": name }));
}

/// Queue a run of an action.
#[action]
pub fn run_action(bell: &mut Bell, cx: &mut Context<Bell>, action: String) {
    bell.rung.push("run_action".to_owned());
    cx.run(Instruction::new(action, json!({})));
}

/// Return the weight.
#[action(internal)]
pub fn weigh(_: &Bell, weight: f64) -> f64 {
    weight
}

/// Queue an instruction with NaN, which JSON cannot represent. This becomes a directive `Error`.
#[action]
pub fn queue_nan(_: &Bell, cx: &mut Context<Bell>) {
    cx.then(Weigh { weight: f64::NAN });
}

/// Reply with the name of the instance.
#[action(on("bell.reply"))]
pub fn reply(_: &Bell, cx: &mut Context<Bell>) {
    cx.reply(Signal::new("bell.name", json!(cx.skill())));
}

agent! {
    /// Has two instances of `bell`.
    pub struct Tower {
        name: "tower",
        skills: [Bell, Bell as chime],
    }
}

/// The names recorded by the first bell.
pub async fn rung(server: &AgentServer<Tower>) -> Vec<String> {
    server.agent().await.unwrap().state().bell.rung.clone()
}

/// The data of `bell.ring`.
pub fn ring_data(name: &str) -> Value {
    json!({ "name": name })
}
