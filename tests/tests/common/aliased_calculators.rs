//! Agents that list the same skill under one or two aliases.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use std::time::{Duration, SystemTime};

/// Calculates.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "calculator",
    version = "1.2.0",
    config = CalculatorConfig,
    signals("calculator.**", "clock.ticked"),
    actions(Add, Announce, Reset, WhoAmI)
)]
pub struct Calculator {
    #[skill(from_config)]
    pub scale: f64,
    #[skill(default = 0.0)]
    pub last: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CalculatorConfig {
    pub scale: f64,
    pub unit: String,
}

impl Default for CalculatorConfig {
    fn default() -> Self {
        Self {
            scale: 1.0,
            unit: "m".to_owned(),
        }
    }
}

/// Add two numbers.
#[action(on("calculator.add"), on("calculator.*.sum", priority = 7))]
pub fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.last = (a + b) * calculator.scale;
    calculator.last
}

/// Queue one directive of each kind.
#[action]
pub fn announce(calculator: &Calculator, cx: &mut Context<Calculator>) {
    let data = json!({ "last": calculator.last });
    for ty in [
        "calculator.announced",
        "calculator",
        "calculators.announced",
        "clock.asked",
    ] {
        cx.emit(Signal::new(ty, data.clone()));
    }
    cx.reply(Signal::new("calculator.answer", Value::Null));
    cx.schedule(
        Duration::from_secs(3),
        Signal::new("calculator.tick", Value::Null),
    );
    cx.run(Instruction::new("add", json!({ "a": 1, "b": 2 })));
    cx.run(Instruction::new("reset", json!({})));
    cx.run(Instruction::new("record", json!({ "sample": 1 })));
}

/// Reset the calculator.
#[action(internal)]
pub fn reset(calculator: &mut Calculator) {
    calculator.last = 0.0;
}

/// Return the names and the stamp that the action sees.
#[action(title = "Who?")]
pub fn who_am_i(
    calculator: &Calculator,
    cx: &mut Context<Calculator>,
) -> (String, String, Option<String>, Option<u64>) {
    let _ = calculator;
    let seconds = cx
        .now()
        .and_then(|now| now.duration_since(SystemTime::UNIX_EPOCH).ok())
        .map(|time| time.as_secs());
    let name = format!("{} of {}", cx.skill(), cx.agent_name());
    (
        name,
        cx.config().unit.clone(),
        cx.id().map(str::to_owned),
        seconds,
    )
}

/// Keeps samples.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "stats", requires("calculator@^1.2"), actions(Record))]
pub struct Stats {
    pub samples: Vec<f64>,
}

/// Keep one sample.
#[action]
pub fn record(stats: &mut Stats, sample: f64) -> usize {
    stats.samples.push(sample);
    stats.samples.len()
}

agent! {
    /// Two calculators, both under aliases, and a skill that requires one.
    #[derive(Debug, PartialEq)]
    pub struct TwoAliases {
        name: "two_aliases",
        skills: [Stats, Calculator as calc, Calculator as rough { scale: 10.0, unit: "km".to_owned() }],
    }
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct PlainAndAlias {
        name: "plain_and_alias",
        skills: [Calculator, Calculator as other { scale: 2.0 }],
    }
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct OneAlias {
        name: "one_alias",
        skills: [Calculator as calc],
    }
}
