// A parameter of a hook is missing.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", hooks)]
struct Counter {
    count: u32,
}

impl Hooks for Counter {
    fn handle_signal(&mut self, signal: &Signal) -> Result<Handled, HookError> {
        self.count += u32::from(signal.ty() == "clock.ticked");
        Ok(Handled::Done)
    }
}

fn main() {}
