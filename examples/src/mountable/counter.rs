//! A skill whose state is changed and read by signals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

/// Counts signals.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", config = CounterConfig, signals("increment", "get_count"), hooks)]
pub struct Counter {
    /// The count.
    #[skill(default)]
    pub count: i64,
    /// The step of one increment.
    #[skill(from_config)]
    pub step: i64,
}

/// The configuration of [`Counter`], set on mounting.
#[derive(SkillConfig, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CounterConfig {
    /// The step of one increment.
    #[skill(default = 1)]
    pub step: i64,
}

impl Hooks for Counter {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        match signal.ty() {
            "increment" => {
                let sum = self.count.checked_add(self.step);
                self.count = sum.ok_or_else(|| HookError::new("the count is at its maximum"))?;
            }
            "get_count" => cx.reply(Signal::new("count_value", json!({ "count": self.count }))),
            _ => return Ok(Handled::Ignored),
        }
        Ok(Handled::Done)
    }
}
