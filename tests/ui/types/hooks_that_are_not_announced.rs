// A skill implements `Hooks` without the option `hooks`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter")]
struct Counter {
    count: u32,
}

impl Hooks for Counter {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        _: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        self.count += u32::from(signal.ty() == "clock.ticked");
        Ok(Handled::Done)
    }
}

fn main() {}
