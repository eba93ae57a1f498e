//! Skills for `Mounted`. Some require others; some have the name, the state key or an action name of another.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

/// Knows the user.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "auth", version = "1.2.0", actions(LogIn))]
pub struct Auth {
    pub user: Option<String>,
}

/// Log in.
#[action]
pub fn log_in(auth: &mut Auth, user: String) {
    auth.user = Some(user);
}

/// Another skill named `auth`, too old for `search`.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "auth", version = "0.9.0")]
pub struct OldAuth {}

/// Finds things for a user.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "search", requires("auth@^1.0"), actions(Query))]
pub struct Search {
    pub queries: Vec<String>,
}

/// Search for a text.
#[action]
pub fn query(search: &mut Search, text: String) -> usize {
    search.queries.push(text);
    search.queries.len()
}

/// Counts calls and signals.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", signals("count.*"), config = CounterOptions, actions(Increment, Reset), hooks)]
pub struct Counter {
    #[skill(from_config)]
    pub count: i64,
    #[skill(from_config)]
    pub step: i64,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CounterOptions {
    pub count: i64,
    pub step: i64,
}

impl Default for CounterOptions {
    fn default() -> Self {
        Self { count: 0, step: 1 }
    }
}

/// Add the step. If the count exceeds 100, fail after changing the state.
#[action]
pub fn increment(counter: &mut Counter, cx: &mut Context<Counter>) -> Result<i64, String> {
    counter.count += counter.step;
    cx.emit(Signal::new("counter.changed", json!(counter.count)));
    match counter.count {
        ..=100 => Ok(counter.count),
        count => Err(format!("{count} is too much")),
    }
}

/// Reset the count.
#[action(internal)]
pub fn reset(counter: &mut Counter, cx: &mut Context<Counter>) {
    counter.count = cx.config().count;
}

impl Hooks for Counter {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        // changes the state and queues a directive before every outcome
        self.count += self.step;
        cx.emit(Signal::new("counter.changed", json!(self.count)));
        match signal.ty() {
            "count.up" => Ok(Handled::Done),
            "count.fail" => Err(HookError::new("it failed")),
            _ => Ok(Handled::Ignored),
        }
    }
}

/// Another skill named `counter`.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", version = "2.0.0", actions(Tally))]
pub struct OtherCounter {
    pub tally: u8,
}

/// Add one to the tally.
#[action]
pub fn tally(counter: &mut OtherCounter) -> u8 {
    counter.tally = counter.tally.wrapping_add(1);
    counter.tally
}

/// A skill with the state key of `counter`.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "same_state_key", state_key = "counter")]
pub struct SameStateKey {}

/// A skill with an action named like one of `counter`.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "same_action_name", actions(OtherIncrement))]
pub struct SameActionName {}

/// Return a text. The action has the name of an action of `counter`.
#[action(name = "increment")]
pub fn other_increment(_: &SameActionName) -> &'static str {
    "other"
}

/// Records every signal, and handles all except `ignored`.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "listener", hooks)]
pub struct Listener {
    pub heard: Vec<String>,
}

impl Hooks for Listener {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        self.heard.push(signal.ty().to_owned());
        cx.reply(Signal::new("heard", json!(cx.skill())));
        match signal.ty() {
            "ignored" => Ok(Handled::Ignored),
            _ => Ok(Handled::Done),
        }
    }
}

/// Requires itself through `cycle_b`.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "cycle_a", requires("cycle_b"))]
pub struct CycleA {}

/// Requires itself through `cycle_a`.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "cycle_b", requires("cycle_a"))]
pub struct CycleB {}

/// Requires nothing.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "required")]
pub struct Required {}

/// Requires `required`.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "requiring", requires("required"))]
pub struct Requiring {}

/// Another skill named `required`, which requires the skill that requires it.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "required", requires("requiring"))]
pub struct CyclicRequired {}
