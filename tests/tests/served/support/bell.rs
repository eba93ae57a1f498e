//! A skill with an action for every directive.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use std::time::Duration;

/// Rings.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "bell",
    actions(
        Ring, Later, Forget, Repeat, Echo, Hush, Call, Want, Weigh, Lose, Reply
    )
)]
pub struct Bell {
    pub rung: Vec<String>,
}

/// Ring once, and say so.
#[action(on("bell.ring"))]
pub fn ring(bell: &mut Bell, cx: &mut Context<Bell>, name: String) {
    cx.emit(Signal::new("bell.rung", json!(name)));
    bell.rung.push(name);
}

/// Ring later.
#[action(on("bell.both", priority = 1))]
pub fn later(
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

/// Do not ring what was to ring later.
#[action]
pub fn forget(_: &Bell, cx: &mut Context<Bell>, key: String) {
    cx.cancel(&key);
}

/// Ring, and so often again.
#[action]
pub fn repeat(bell: &mut Bell, cx: &mut Context<Bell>, left: u32) {
    bell.rung.push(left.to_string());
    cx.emit(Signal::new("bell.repeated", json!(left)));
    if left > 0 {
        cx.run(Instruction::new("repeat", json!({ "left": left - 1 })));
    }
}

/// Ring, and emit what leads here where it comes back.
#[action(on("bell.echo"))]
pub fn echo(bell: &mut Bell, cx: &mut Context<Bell>, left: u32) {
    bell.rung.push(left.to_string());
    if left > 0 {
        cx.emit(Signal::new("bell.echo", json!({ "left": left - 1 })));
    }
}

/// End the agent.
#[action(on("bell.both"))]
pub fn hush(_: &Bell, cx: &mut Context<Bell>, reason: String) {
    cx.stop(reason);
}

/// Start a child.
#[action]
pub fn call(_: &Bell, cx: &mut Context<Bell>, child: String, #[arg(default)] name: String) {
    cx.spawn(child, json!({ "name": name }));
}

/// Run an action, whichever.
#[action]
pub fn want(bell: &mut Bell, cx: &mut Context<Bell>, action: String) {
    bell.rung.push("wanted".to_owned());
    cx.run(Instruction::new(action, json!({})));
}

/// Weigh the bell.
#[action(internal)]
pub fn weigh(_: &Bell, weight: f64) -> f64 {
    weight
}

/// Queue what JSON cannot hold, which becomes a directive `Error`.
#[action]
pub fn lose(_: &Bell, cx: &mut Context<Bell>) {
    cx.then(Weigh { weight: f64::NAN });
}

/// Reply with the name of the skill.
#[action(on("bell.who"))]
pub fn reply(_: &Bell, cx: &mut Context<Bell>) {
    cx.reply(Signal::new("bell.me", json!(cx.skill())));
}

agent! {
    /// Has two bells.
    pub struct Tower {
        name: "tower",
        skills: [Bell, Bell as chime],
    }
}

/// What the first bell has rung.
pub async fn rung(server: &AgentServer<Tower>) -> Vec<String> {
    server.agent().await.unwrap().state().bell.rung.clone()
}

/// What is needed to ring once.
pub fn name(name: &str) -> Value {
    json!({ "name": name })
}
