use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::Start;
use skill_agent::child::Restart;
use skill_agent::core::HookError;
use skill_agent::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

/// The configuration of a ledger.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LedgerConfig {
    pub limit: u32,
}

/// Keeps entries.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "ledger",
    version = "1.2.3",
    config = LedgerConfig,
    actions(Enter, Publish, Answer, Repeat, Follow, Remind, Forget, Help, Halt, Misname, Light, Darken),
    hooks
)]
pub struct Ledger {
    pub entries: Vec<u64>,
    pub by_number: BTreeMap<u32, f64>,
    pub starts: Vec<String>,
    pub heard: u32,
}

/// Enter a number.
#[action(on("ledger.enter"))]
pub fn enter(ledger: &mut Ledger, n: u64) -> usize {
    ledger.entries.push(n);
    let number = n as u32;
    ledger.by_number.insert(number, f64::INFINITY);
    ledger.entries.len()
}

/// Enter a number and publish it.
#[action]
pub fn publish(ledger: &mut Ledger, cx: &mut Context<Ledger>, n: u64) {
    ledger.entries.push(n);
    cx.emit(Signal::new("ledger.published", json!({ "n": n })));
}

/// Reply to a signal.
#[action(on("ledger.ask"))]
pub fn answer(_: &Ledger, cx: &mut Context<Ledger>) {
    cx.reply(Signal::new("ledger.answered", json!({ "n": 5 })));
}

/// Run another action.
#[action]
pub fn repeat(_: &Ledger, cx: &mut Context<Ledger>, n: u64) {
    cx.run(Instruction::new("follow", json!({ "n": n })));
}

/// Enter a number for another action.
#[action(internal)]
pub fn follow(ledger: &mut Ledger, n: u64) {
    ledger.entries.push(n);
}

/// Enter a number later.
#[action]
pub fn remind(_: &Ledger, cx: &mut Context<Ledger>, n: u64, seconds: u64, key: Option<String>) {
    let signal = Signal::new("ledger.enter", json!({ "n": n }));
    let after = Duration::from_secs(seconds);
    match key {
        Some(key) => cx.schedule_as(&key, after, signal),
        None => cx.schedule(after, signal),
    }
}

/// Cancel a reminder.
#[action]
pub fn forget(_: &Ledger, cx: &mut Context<Ledger>, key: String) {
    cx.cancel(&key);
}

/// Start a child.
#[action]
pub fn help(_: &Ledger, cx: &mut Context<Ledger>, n: u64) {
    cx.spawn("helper", json!({ "n": n }));
}

/// Stop the agent.
#[action]
pub fn halt(_: &Ledger, cx: &mut Context<Ledger>) {
    cx.stop("closing time");
}

/// Emit a signal with an invalid type.
#[action]
pub fn misname(_: &Ledger, cx: &mut Context<Ledger>) {
    cx.emit(Signal::new("not a type", json!({})));
}

/// Mount the lamp.
#[action]
pub fn light(ledger: &mut Ledger, cx: &mut Context<Ledger>) {
    ledger.heard += 1;
    cx.mount("lamp", &json!({ "colour": "green" }));
}

/// Unmount the lamp.
#[action]
pub fn darken(ledger: &mut Ledger, cx: &mut Context<Ledger>) {
    ledger.heard += 1;
    cx.unmount("lamp");
}

impl Hooks for Ledger {
    fn on_mount(&mut self, start: Start, _: &mut Context<Self>) -> Result<(), HookError> {
        self.starts.push(format!("{start:?}"));
        Ok(())
    }

    fn handle_signal(
        &mut self,
        signal: &Signal,
        _: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        if signal.ty() != "ledger.heard" {
            return Ok(Handled::Ignored);
        }
        self.heard += 1;
        Ok(Handled::Done)
    }

    fn child_specs(_: &LedgerConfig) -> Vec<ChildSpec> {
        let helper = ChildSpec::new("helper", async |_: ChildContext| Ok(()));
        vec![helper.restart(Restart::Temporary).on_demand()]
    }
}

/// The configuration of a lamp.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LampConfig {
    pub colour: String,
}

/// Shines.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "lamp", version = "0.3.0", state_key = "lamps", config = LampConfig, actions(Shine))]
pub struct Lamp {
    pub times: u32,
}

/// Shine.
#[action]
pub fn shine(lamp: &mut Lamp, cx: &mut Context<Lamp>) -> String {
    lamp.times += 1;
    format!("{} {}", cx.config().colour, lamp.times)
}

agent! {
    /// Keeps a ledger, and mounts a lamp.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Archive {
        name: "archive",
        state: { visits: u32 },
        skills: [Ledger { limit: 7 }],
        mounted: [Lamp],
    }
}
